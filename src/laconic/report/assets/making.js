// How the model was made: methods compared, convergence, configuration, and the Python code to fit it again.

function makingSection(data) {
  const { making, comparison } = data;
  const parts = [];
  if (comparison) {
    const tested = comparison.contenders.some((one) => one.test !== null);
    const timed = comparison.contenders.some((one) => one.seconds !== null && one.seconds !== undefined);
    const boxed = (name, headings, rows, chosen) => el("div", { class: "scroll card", tabindex: "0", role: "region", "aria-label": name }, table(headings, rows, chosen));
    parts.push(
      el("h3", {}, "Methods compared"),
      el("p", { class: "note" }, comparison.reason),
      boxed(
        "Methods",
        ["method", "words", `${comparison.metric}, ${comparison.scored_on}`, ...(tested ? ["test"] : []), ...(timed ? ["seconds"] : [])],
        comparison.contenders.map((one) => [one.method, whole(one.words), `${one.score.toFixed(3)} ± ${one.error.toFixed(3)}`, ...(tested ? [one.test === null ? "" : one.test.toFixed(3)] : []), ...(timed ? [one.seconds === null ? "" : one.seconds.toFixed(1)] : [])]),
        (n) => comparison.contenders[n].chosen
      )
    );
    const { headings, rows, chosen } = comparison.by_size;
    if (rows.length)
      parts.push(
        el("h3", {}, "Score against words"),
        el("p", { class: "note" }, "The best sparse model of each size, and the points that it gains over the model that was kept, with 95% intervals paired on the same documents."),
        boxed("Score against words", headings, rows, (n) => chosen[n])
      );
  }
  if (making.trace.length > 1) parts.push(traceChart(making.trace));
  if (making.code) {
    const said = el("span", { class: "small", role: "status" });
    const copy = async () => {
      try {
        await navigator.clipboard.writeText(making.code);
        said.textContent = "Copied.";
      } catch {
        const range = document.createRange();
        range.selectNodeContents(code);
        getSelection().removeAllRanges();
        getSelection().addRange(range);
        said.textContent = "Selected: copy it with the keyboard.";
      }
    };
    const code = el("pre", { tabindex: "0" }, making.code);
    parts.push(el("h3", {}, "Python code to fit it again"), code, el("div", { class: "row" }, el("button", { type: "button", on: { click: copy } }, "Copy"), said));
  }
  parts.push(el("details", {}, el("summary", {}, "Configuration, data and versions"), el("pre", { tabindex: "0" }, making.configuration)));
  return section("How it was made", parts);
}

function traceChart(trace) {
  const last = trace[trace.length - 1][0];
  const gaps = trace.map(([objective, dual], i) => [i, dual === null ? null : Math.max((objective - dual) / objective, 1e-12)]).filter(([, gap]) => gap !== null && gap > 0);
  const above = trace.map(([objective], i) => [i, Math.max((objective - last) / last, 1e-12)]).slice(0, -1);
  const values = [...gaps, ...above].map(([, value]) => Math.log10(value));
  if (!values.length) return null;
  const x = { label: "iteration", low: 0, high: trace.length - 1, format: whole };
  const y = { label: "log10 of gap or suboptimality", low: Math.floor(Math.min(...values)), high: Math.ceil(Math.max(...values) + 0.01), format: (one) => `1e${one}` };
  const series = [
    { name: "duality gap", points: gaps.map(([i, gap]) => [i, Math.log10(gap)]), colour: "var(--c0)", line: true },
    { name: "suboptimality", points: above.map(([i, value]) => [i, Math.log10(value)]), colour: "var(--c1)", dash: "7 3", line: true },
  ].filter((one) => one.points.length);
  const { figure } = chart("Convergence: relative duality gap and suboptimality (objective above its final value) per iteration", "Duality gap and suboptimality per iteration", plot({ x, y, series }), 220);
  return el("div", {}, el("h3", {}, "Convergence"), figure, key(series.map((one) => [one.name, one.colour, one.dash])));
}
