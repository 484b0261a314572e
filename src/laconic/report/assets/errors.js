// Scores on labelled documents: confusion matrix, precision and recall, and how reliable the probabilities are.

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
        "Precision–recall curve, one per class",
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
    const of = data.classes.length === 2 ? data.classes[1] : "the most likely class";
    figures.push(
      chart(
        `Reliability: documents by their probability of ${of}, in up to ten bins of equal size; points on the dashed line are perfectly calibrated`,
        `Reliability: ${reliability.map(([predicted, share, n]) => `${predicted.toFixed(2)} predicted, ${share.toFixed(2)} of ${n} true`).join("; ")}`,
        plot({
          x: { ...unit, label: `predicted probability of ${of}` },
          y: { ...unit, label: "true share" },
          diagonal: true,
          series: [{ name: "documents", points: reliability.map(([predicted, share]) => [predicted, share]), colour: "var(--c0)", line: true }],
          marks: reliability.map(([predicted, share, n]) => ({ x: predicted, y: share, colour: "var(--c0)", filled: true, text: reliability.length < 6 ? `${n}` : "" })),
        })
      ).figure
    );
  }
  return section(
    "Errors",
    el("p", { class: "note" }, `On ${whole(documents)} documents${corpus ? ` of ${corpus}` : ""}.`),
    el(
      "div",
      { class: "charts" },
      confusion.length ? el(
        "div",
        { class: "card scroll", tabindex: "0", role: "region", "aria-label": "Confusion matrix" },
        el("p", { class: "small" }, "Rows: true class. Columns: predicted class."),
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
        table(["class", "precision", "recall", "F1", "documents"], classes.map((one) => [one.label, one.precision.toFixed(3), one.recall.toFixed(3), one.f1.toFixed(3), whole(one.documents)])),
        el("h3", {}, "Overall"),
        table(["", "", "95% interval"], metrics.map((one) => [one.name, one.value.toFixed(3), one.interval ? `${one.interval[0].toFixed(3)} to ${one.interval[1].toFixed(3)}` : ""]))
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
