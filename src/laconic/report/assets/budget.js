// Smaller and larger models of the same path; the slider picks one, and the text above is scored by it.

function budgetSection(data, state) {
  const { path, comparison } = data;
  const steps = path.steps.map((step) => ({
    ...step,
    weights: step.chosen ? null : new Map(step.rows.map((row, i) => [path.words[row], step.weights[i]])),
  }));
  const home = steps.findIndex((step) => step.chosen);
  const slider = el("input", { type: "range", min: 0, max: steps.length - 1, step: 1, value: home, id: "budget-slider", "aria-label": "Number of words" });
  const said = el("output", { for: "budget-slider" });
  const reset = el("button", { type: "button" }, "Back to the model");
  let now = home;
  const others = comparison.contenders.filter((one) => !one.chosen);
  const scores = [...steps, ...others].flatMap((one) => [one.score - one.error, one.score + one.error]);
  const [low, high] = around(scores, 0.06);
  const best = path.metric === "log loss" ? null : 1;
  const y = { label: path.metric, low, high: best === null ? high : Math.min(high, 1.005), format: (one) => one.toFixed(2) };
  const sizes = [...steps.map((one) => one.size), ...others.map((one) => one.words)].filter((one) => one > 0);
  const range = [Math.max(1, Math.min(...sizes) * 0.8), Math.max(...sizes) * 1.25];
  const share = (one) => (100 * one) / data.vocabulary;

  const draw = (of, x) =>
    chart(
      `${path.metric} (${path.scored_on}, ± one standard error) against ${x.label}`,
      `${path.metric} against ${x.label}: ${steps.map((one) => `${one.size} words ${one.score.toFixed(3)}`).join(", ")}`,
      (width, height) =>
        plot({
          x,
          y,
          series: [
            { name: "this path", points: steps.filter((one) => one.size > 0).map((one) => [of(one.size), one.score, one.error]), colour: "var(--c0)", line: true, dots: true },
            ...others.map((one) => ({ name: one.method, points: [[of(one.words), one.score, one.error]], colour: "var(--soft)", dots: true })),
          ],
          marks: [
            { x: of(steps[home].size), y: steps[home].score, text: now === home ? "this model" : "", colour: "var(--c0)", above: true },
            ...(now === home ? [] : [{ x: of(Math.max(steps[now].size, range[0])), y: steps[now].score, text: `${steps[now].size} words`, colour: "var(--c1)", filled: true }]),
          ],
        })(width, height)
    );
  const atoms = draw((one) => one, { label: "number of words", low: range[0], high: range[1], log: true, format: whole });
  const sparsity = draw(share, { label: "share of the vocabulary, %", low: share(range[0]), high: share(range[1]), log: true, format: (one) => String(Number(one.toPrecision(2))) });

  function move(to) {
    now = to;
    slider.value = to;
    const step = steps[to];
    const size = `${whole(step.size)} ${step.size === 1 ? "word" : "words"}`;
    slider.setAttribute("aria-valuetext", size);
    said.replaceChildren(el("strong", {}, size), `, ${path.metric} ${step.score.toFixed(3)} ± ${step.error.toFixed(3)} (${path.scored_on})`, to === home ? ": this model." : ". The text above is now scored by this model.");
    reset.hidden = to === home;
    state.cut(to === home ? null : step);
    atoms.redraw();
    sparsity.redraw();
  }

  slider.addEventListener("input", () => move(Number(slider.value)));
  reset.addEventListener("click", () => move(home));
  move(home);
  return section(
    "Budget",
    el("p", { class: "note" }, "How few words are enough? Move the slider to use fewer or more words, and watch the prediction above."),
    el("div", { class: "card" }, slider, el("div", { class: "row" }, said, reset)),
    el("div", { class: "charts" }, atoms.figure, sparsity.figure),
    key([["this path", "var(--c0)"]]),
    others.length ? el("p", { class: "small" }, `Grey points: ${others.map((one) => `${one.method} (${whole(one.words)} words)`).join(", ")}.`) : null
  );
}
