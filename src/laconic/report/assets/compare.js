// Several models on the same documents: scores against size, with paired tests against the first.

function compareSection(data) {
  const models = data.versus;
  const interval = (one, sign = "") => (one ? `${sign ? signed(one.value, 3) : one.value.toFixed(3)} [${sign ? signed(one.low, 3) : one.low.toFixed(3)}, ${sign ? signed(one.high, 3) : one.high.toFixed(3)}]` : "");
  const p = (value) => (value === null ? "" : value < 0.001 ? "< 0.001" : value.toFixed(3));
  const rows = models.map((one) => [one.name, whole(one.words), interval(one.accuracy), interval(one.macro_f1), interval(one.difference, "+"), one.difference ? `${one.wins} : ${one.losses}` : "", p(one.sign), p(one.mcnemar), p(one.holm)]);
  // The frontier: models that no other beats in both size and accuracy.
  const frontier = models.filter((one) => !models.some((other) => other !== one && other.words <= one.words && other.accuracy.value >= one.accuracy.value && (other.words < one.words || other.accuracy.value > one.accuracy.value)));
  frontier.sort((a, b) => a.words - b.words);
  const [low, high] = around(models.flatMap((one) => [one.accuracy.low, one.accuracy.high]));
  const sizes = models.map((one) => Math.max(one.words, 1));
  const { figure } = chart(
    "Accuracy (95% interval) against number of words; the line joins the models that no other beats in both",
    `Accuracy against words: ${models.map((one) => `${one.name} ${one.words} words ${one.accuracy.value.toFixed(3)}`).join(", ")}`,
    plot({
      x: { label: "number of words", low: Math.min(...sizes) * 0.7, high: Math.max(...sizes) * 1.4, log: true, format: whole },
      y: { label: "accuracy", low, high: Math.min(high, 1.005), format: (one) => one.toFixed(2) },
      series: [
        { name: "frontier", points: frontier.map((one) => [Math.max(one.words, 1), one.accuracy.value]), colour: "var(--c0)", line: true },
        ...models.map((one) => ({ name: one.name, points: [[Math.max(one.words, 1), one.accuracy.value, (one.accuracy.high - one.accuracy.low) / 2]], colour: "var(--c1)", dots: true })),
      ],
      marks: models.map((one, i) => ({ x: Math.max(one.words, 1), y: one.accuracy.value, text: one.name, colour: frontier.includes(one) ? "var(--c0)" : "var(--soft)", above: i % 2 === 0 })),
    }),
    320
  );
  return section(
    "Compare",
    el("p", { class: "note" }, "The same documents, labelled by each model, with 95% bootstrap intervals. Differences, won : lost and tests are against the first model, which this page shows: the one-sided sign test asks whether a model is better, McNemar's test whether they differ at all, and Holm's correction adjusts the latter for the number of models."),
    figure,
    el("div", { class: "scroll card", tabindex: "0", role: "region", "aria-label": "Models" }, table(["model", "words", "accuracy", "macro F1", "difference", "won : lost", "sign p", "McNemar p", "Holm p"], rows, (n) => n === 0))
  );
}
