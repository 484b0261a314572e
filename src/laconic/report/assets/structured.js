// Taggers and parsers: their templates, features, transitions and errors, sentences with tags or arcs.

function structuredSections(data) {
  const sections = [];
  if (data.templates.length) sections.push(templatesSection(data));
  if (Object.keys(data.features).length) sections.push(featuresSection(data));
  if (Object.keys(data.transitions).length) sections.push(transitionsSection(data));
  if (data.scores.length) sections.push(structuredErrors(data));
  if (data.sentences.length) sections.push(sentencesSection(data));
  sections.push(section("How it was made", memoryChart(data.memory), el("details", {}, el("summary", {}, "Configuration"), el("pre", { tabindex: "0" }, data.configuration))));
  return sections;
}

function templatesSection(data) {
  const strongest = Math.max(...data.templates.map((one) => one.norm), 1e-9);
  const kept = data.templates.filter((one) => one.kept).length;
  const rows = data.templates.map((one) =>
    el(
      "tr",
      {},
      el("td", { class: "code" }, one.template),
      el("td", {}, one.kept ? "kept" : "dropped"),
      el("td", { class: "weight" }, el("span", { class: "weighed" }, el("span", { class: "track" }, el("span", { style: { width: `${(100 * one.norm) / strongest}%` } })), el("span", { class: "small" }, one.kept ? one.norm.toFixed(1) : ""))),
      el("td", { class: "number" }, one.kept ? whole(one.features) : ""),
      el("td", { class: "number" }, one.kept ? whole(one.weights) : "")
    )
  );
  return section(
    "Templates",
    el("p", { class: "note" }, `Each template names positions around a word; what stands there is a feature. ${kept} of ${data.templates.length} templates were kept; the model ignores the others.`),
    el("div", { class: "tall", tabindex: "0", role: "region", "aria-label": "Templates" }, el("table", {}, el("thead", {}, el("tr", {}, ["template", "", "norm", "features", "weights"].map((text, i) => el("th", { scope: "col", class: i > 2 ? "number" : null }, text)))), el("tbody", {}, rows))),
    data.edges.length ? el("details", {}, el("summary", {}, "The order of templates, from coarse to fine"), el("div", { class: "scroll card", tabindex: "0", role: "region", "aria-label": "Order of templates" }, hasse(data))) : null
  );
}

// The Hasse diagram: coarse templates on top, a line down to each finer one; kept ones are filled.
function hasse(data) {
  const level = data.templates.map(() => 0);
  for (let round = 0; round < level.length; round++) for (const [a, b] of data.edges) level[b] = Math.max(level[b], level[a] + 1);
  const right = [];
  const place = data.templates.map((one, i) => {
    const width = 7.3 * one.template.length + 16;
    const x = right[level[i]] || 12;
    right[level[i]] = x + width + 14;
    return { x, y: 12 + 64 * level[i], width };
  });
  const full = Math.max(...right.filter(Boolean), 100);
  place.forEach((one, i) => (one.x += (full - right[level[i]]) / 2));
  const height = 64 * (Math.max(...level) + 1);
  return svg(
    "svg",
    { class: "hasse", width: full, height, viewBox: `0 0 ${full} ${height}`, role: "img", "aria-label": "Order of templates from coarse to fine" },
    data.edges.map(([a, b]) => svg("line", { class: "edge", x1: place[a].x + place[a].width / 2, y1: place[a].y + 26, x2: place[b].x + place[b].width / 2, y2: place[b].y })),
    data.templates.map((one, i) => [
      svg("rect", { class: one.kept ? "kept" : "dropped", x: place[i].x, y: place[i].y, width: place[i].width, height: 26, rx: 5 }),
      svg("text", { x: place[i].x + place[i].width / 2, y: place[i].y + 17, "text-anchor": "middle" }, one.template),
    ])
  );
}

function featuresSection(data) {
  const labels = Object.keys(data.features);
  const pick = el("select", { "aria-label": "Label" }, labels.map((label) => el("option", {}, label)));
  const search = el("input", { type: "search", placeholder: "Search features", "aria-label": "Search features" });
  const top = (label) => Math.max(...data.features[label].map((one) => one.weight), 0);
  pick.value = labels.reduce((best, label) => (top(label) > top(best) ? label : best)); // the one with the largest weight
  const body = el("tbody");
  const strongest = Math.max(...labels.flatMap((label) => data.features[label].map((one) => Math.abs(one.weight))), 1e-9);
  const update = () => {
    const wanted = search.value.trim().toLowerCase();
    const kept = data.features[pick.value].filter((one) => `${one.template} ${one.values.join(" ")}`.toLowerCase().includes(wanted));
    body.replaceChildren(
      ...kept.map((one) =>
        el("tr", {}, el("td", { class: "word" }, one.values.join(" · ")), el("td", { class: "code" }, one.template), el("td", { class: "weight" }, el("span", { class: "weighed" }, balance(one.weight / strongest), el("span", { class: "small" }, signed(one.weight)))))
      )
    );
  };
  pick.addEventListener("change", update);
  search.addEventListener("input", update);
  update();
  return section(
    "Features",
    el("p", { class: "note" }, "The strongest features of each label: evidence for it to the right, evidence against it to the left."),
    el("div", { class: "row" }, pick, search),
    el("div", { class: "tall", tabindex: "0", role: "region", "aria-label": "Features" }, el("table", {}, el("thead", {}, el("tr", {}, ["value", "template", "weight"].map((text) => el("th", { scope: "col" }, text)))), body))
  );
}

function transitionsSection(data) {
  const strongest = Math.max(...Object.values(data.transitions).flatMap((row) => Object.values(row).map(Math.abs)), 1e-9);
  return section(
    "Transitions",
    el("p", { class: "note" }, "Weights of pairs of labels. Rows: the label before (⊥ is the start of a sentence). Columns: the label after. Blue pairs are favoured, orange ones avoided."),
    el(
      "div",
      { class: "scroll card", tabindex: "0", role: "region", "aria-label": "Transitions" },
      el(
        "table",
        { class: "matrix" },
        el("thead", {}, el("tr", {}, el("td"), data.labels.map((label) => el("th", { scope: "col" }, label)))),
        el(
          "tbody",
          {},
          Object.entries(data.transitions).map(([start, row]) =>
            el("tr", {}, el("th", { scope: "row" }, start), data.labels.map((end) => el("td", { class: row[end] < 0 ? "wrong" : null, style: { "--s": `${(45 * Math.abs(row[end])) / strongest}%` } }, row[end] === 0 ? "" : signed(row[end], 1))))
          )
        )
      )
    )
  );
}

function structuredErrors(data) {
  const percent = (value) => (value === undefined ? "" : `${(100 * value).toFixed(2)}%`);
  const names = ["accuracy", "precision", "recall", "f1", "uas", "las"].filter((name) => data.scores.some((row) => name in row));
  return section(
    "Errors",
    el("p", { class: "note" }, `On ${data.corpus}.`),
    el(
      "div",
      { class: "charts" },
      el("div", { class: "scroll card", tabindex: "0", role: "region", "aria-label": "Scores" }, table(["", ...names, "count"], data.scores.map((row) => [row.name, ...names.map((name) => percent(row[name])), whole(row.count)]))),
      data.confusions.length
        ? el("div", { class: "tall", tabindex: "0", role: "region", "aria-label": "Confusions" }, table(["true", "predicted", "count"], data.confusions.map(([a, b, n]) => [a, b, whole(n)])))
        : null
    )
  );
}

function sentencesSection(data) {
  const wrong = el("select", { "aria-label": "Right or wrong" }, [["", "right and wrong"], ["wrong", "with mistakes"], ["right", "without mistakes"]].map(([value, text]) => el("option", { value }, text)));
  const list = el("div");
  const count = el("span", { class: "small", role: "status" });
  const right = (one) => one.true.every((label, i) => label === one.predicted[i]) && one.true_heads.every((head, i) => head === one.predicted_heads[i]);
  const update = () => {
    const kept = data.sentences.filter((one) => !wrong.value || right(one) === (wrong.value === "right"));
    list.replaceChildren(...kept.map((one) => el("article", { class: "document" }, one.true_heads.length ? el("div", { class: "scroll" }, arcs(one)) : tagged(one), one.cut ? el("p", { class: "small" }, `… and ${one.cut} more words.`) : null)));
    count.textContent = `${whole(kept.length)} of ${whole(data.sentences.length)} sentences`;
  };
  wrong.addEventListener("change", update);
  update();
  return section(
    "Sentences",
    el("p", { class: "warning" }, "This page contains text: anyone who gets the file can read it, so share it with care."),
    el("p", { class: "note" }, "Most mistakes first. Where the model is wrong, the true tag or arc is shown below."),
    el("div", { class: "row" }, wrong, count),
    list
  );
}

function tagged(one) {
  return el(
    "p",
    { class: "tagged" },
    one.words.map((word, i) => {
      const bad = one.true[i] !== one.predicted[i];
      return el("span", { class: bad ? "token bad" : "token" }, el("span", { class: "form" }, word), el("span", { class: "tag" }, one.predicted[i]), bad ? el("span", { class: "truth" }, `true: ${one.true[i]}`) : null);
    })
  );
}

// Arcs over the words; a wrong one is dashed, with the true head as an arc below.
function arcs(one) {
  const widths = one.words.map((word, i) => Math.max(8.5 * word.length, 6.6 * one.predicted[i].length) + 22);
  const centres = [];
  let x = 30;
  for (const width of widths) {
    centres.push(x + width / 2);
    x += width;
  }
  const reach = Math.max(...one.predicted_heads.map((head, i) => (head ? Math.abs(head - 1 - i) : 1)), 1);
  const base = 26 + 15 * Math.min(reach, 10);
  const parts = one.words.map((word, i) => svg("text", { class: "strong", x: centres[i], y: base + 22, "text-anchor": "middle" }, word));
  const draw = (head, i, down, kind, label) => {
    const to = centres[i];
    if (head === 0) {
      if (!down) parts.push(svg("path", { class: kind, d: `M${to} ${base} V8` }), svg("text", { x: to + 4, y: 14 }, label));
      return;
    }
    const from = centres[head - 1];
    const high = 15 * Math.min(Math.abs(head - 1 - i), 10) + 6;
    const [line, top] = down ? [base + 30, base + 30 + high] : [base, base - high];
    parts.push(svg("path", { class: kind, d: `M${from} ${line} C${from} ${top},${to} ${top},${to} ${line}` }));
    if (label) parts.push(svg("text", { x: (from + to) / 2, y: line + 0.75 * (top - line) - 3, "text-anchor": "middle" }, label));
  };
  let low = 0;
  one.predicted_heads.forEach((head, i) => {
    const bad = head !== one.true_heads[i];
    draw(head, i, false, bad ? "arc bad" : "arc", one.predicted[i]);
    if (bad) {
      draw(one.true_heads[i], i, true, "arc truth", "");
      low = Math.max(low, 15 * Math.min(Math.abs(one.true_heads[i] - 1 - i), 10));
    }
  });
  const height = base + 40 + low;
  const label = one.words.map((word, i) => `${word} ← ${one.predicted_heads[i] ? one.words[one.predicted_heads[i] - 1] : "root"}`).join(", ");
  return svg("svg", { class: "tree", width: x + 10, height, viewBox: `0 0 ${x + 10} ${height}`, role: "img", "aria-label": label }, parts);
}

function memoryChart(memory) {
  if (memory.length < 2) return null;
  const { figure } = chart(
    "Features that the learner held, epoch by epoch",
    `Features by epoch: ${memory.join(", ")}`,
    plot({
      x: { label: "epoch", low: 1, high: memory.length, format: whole },
      y: { label: "features", low: 0, high: Math.max(...memory) * 1.05, format: (one) => (one >= 1e6 ? `${one / 1e6}M` : one >= 1e3 ? `${Math.round(one / 1e3)}k` : String(one)) },
      series: [{ name: "features", points: memory.map((n, i) => [i + 1, n]), colour: "var(--c0)", line: true, dots: true }],
    }),
    220
  );
  return el("div", {}, el("h3", {}, "Memory by epoch"), figure);
}
