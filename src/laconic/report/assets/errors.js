// How the model does on labelled texts: scores, who is taken for whom, precision and recall, and whether its
// probabilities can be believed.

function errorsSection(data) {
  const { corpus, documents, metrics, classes, confusion, precision_recall: curves, reliability } = data.scores;
  const rows = confusion.map((row) => row.reduce((sum, one) => sum + one, 0) || 1);
  const unit = { low: 0, high: 1, format: (one) => String(Number(one.toFixed(1))) };
  const named = curves ? Object.entries(curves) : [];
  const colour = (label) => Math.max(data.classes.indexOf(label), 0);
  const figures = [];
  if (named.length) {
    figures.push(
      chart(
        "Precision against recall: of the texts that truly have a class, how many are found, and how many of those called so truly are",
        "Precision against recall of each class",
        plot({
          x: { ...unit, label: "recall" },
          y: { ...unit, label: "precision" },
          series: named.map(([label, points]) => ({ name: label, points, colour: classColour(colour(label)), dash: DASHES[colour(label) % 8], line: true })),
        })
      ).figure
    );
  }
  if (reliability) {
    figures.push(
      chart(
        "Reliability: of texts labelled with a certain probability, the share that is right; on the dashed line the probabilities say the truth",
        `Reliability: ${reliability.map(([said, right, n]) => `${said.toFixed(2)} said, ${right.toFixed(2)} right of ${n}`).join("; ")}`,
        plot({
          x: { ...unit, label: "probability" },
          y: { ...unit, label: "share right" },
          diagonal: true,
          series: [{ name: "texts", points: reliability.map(([said, right]) => [said, right]), colour: "var(--c0)", line: true }],
          marks: reliability.map(([said, right, n]) => ({ x: said, y: right, colour: "var(--c0)", filled: true, text: reliability.length < 6 ? `${n}` : "" })),
        })
      ).figure
    );
  }
  return section(
    "Errors",
    el("p", { class: "note" }, `On ${whole(documents)} texts${corpus ? ` of ${corpus}` : ""}.`),
    el(
      "div",
      { class: "charts" },
      confusion.length ? el(
        "div",
        { class: "card scroll", tabindex: "0", role: "region", "aria-label": "Confusion matrix" },
        el("p", { class: "small" }, "Row: what a text truly is. Column: what the model says."),
        el(
          "table",
          { class: "matrix" },
          el("thead", {}, el("tr", {}, el("td"), classes.map((one) => el("th", { scope: "col" }, one.label)))),
          el(
            "tbody",
            {},
            confusion.map((row, i) =>
              el(
                "tr",
                {},
                el("th", { scope: "row" }, classes[i].label),
                row.map((n, j) => el("td", { class: i === j ? null : "wrong", style: { "--s": `${(45 * n) / rows[i]}%` } }, whole(n)))
              )
            )
          )
        )
      ) : null,
      el(
        "div",
        { class: "card scroll", tabindex: "0", role: "region", "aria-label": "Scores" },
        table(["class", "precision", "recall", "F1", "texts"], classes.map((one) => [one.label, one.precision.toFixed(3), one.recall.toFixed(3), one.f1.toFixed(3), whole(one.documents)])),
        el("h3", {}, "All together"),
        table(["", "", "95 % interval"], metrics.map((one) => [one.name, one.value.toFixed(3), one.interval ? `${one.interval[0].toFixed(3)} to ${one.interval[1].toFixed(3)}` : ""]))
      ),
      figures
    ),
    named.length ? key(named.map(([label]) => [label, classColour(colour(label)), DASHES[colour(label) % 8]])) : null
  );
}

function table(headings, rows, chosen = () => false) {
  return el(
    "table",
    {},
    el("thead", {}, el("tr", {}, headings.map((text, i) => el("th", { scope: "col", class: i ? "number" : null }, text)))),
    el("tbody", {}, rows.map((row, n) => el("tr", { class: chosen(n) ? "chosen" : null }, row.map((cell, i) => el("td", { class: i ? "number" : null }, cell)))))
  );
}
