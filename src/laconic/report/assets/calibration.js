// From margins to probabilities and labels by the calibration of a model; the same as laconic.core.calibration.

function calibratedShares({ kind, scale, shift, curves, prior, several }, margins) {
  const logistic = (x) => 1 / (1 + Math.exp(-x));
  let shares;
  if (kind === "isotonic") {
    shares = margins.map((f, k) => {
      const others = margins.filter((_, j) => j !== k);
      return along(curves[k], several || others.length === 0 ? f : f - logSum(others));
    });
    if (!several && shares.length === 1) shares = [1 - shares[0], shares[0]];
  } else {
    const moved = kind === "sigmoid" ? margins.map((f, k) => scale[k] * f + shift[k]) : margins;
    const every = moved.length === 1 && !several ? [0, moved[0]] : moved;
    const total = several ? 0 : logSum(every);
    shares = every.map((one) => (several ? logistic(one) : Math.exp(one - total)));
  }
  const factors = prior || shares.map(() => 1);
  if (several) return shares.map((one, k) => (one * factors[k]) / (one * factors[k] + 1 - one));
  const weighed = shares.map((one, k) => one * factors[k]);
  const sum = weighed.reduce((total, one) => total + one, 0);
  return weighed.map((one) => one / sum);
}

// The number of the class that is given, -1 for none.
function reached({ thresholds }, shares) {
  const best = (values) => values.indexOf(Math.max(...values));
  if (!thresholds) return best(shares);
  const ratios = shares.map((one, k) => (thresholds[k] === null ? -1 : one / thresholds[k]));
  if (Math.max(...ratios) >= 1) return best(ratios);
  return thresholds.includes(null) ? best(shares.map((one, k) => (thresholds[k] === null ? one : -1))) : -1;
}

// The numbers of all labels that are given, where a text may have several.
function given({ thresholds }, shares) {
  return Array.from(shares.keys()).filter((k) => shares[k] >= (thresholds?.[k] ?? 0.5));
}

function logSum(values) {
  const top = Math.max(...values);
  return top + Math.log(values.reduce((sum, one) => sum + Math.exp(one - top), 0));
}

// The line through the points of a curve, level beyond its ends.
function along([x, q], at) {
  if (at < x[0]) return q[0];
  for (let i = 1; i < x.length; i++) {
    if (at < x[i]) return q[i - 1] + ((q[i] - q[i - 1]) * (at - x[i - 1])) / (x[i] - x[i - 1]);
  }
  return q[q.length - 1];
}
