function glanceSection(data) {
  return el(
    "section",
    { id: "at-a-glance", "aria-labelledby": "title" },
    el("h1", { id: "title" }, data.title),
    el("p", { class: "lead" }, data.lead),
    ...(data.comparison ? data.comparison.doubts : []).map((doubt) => el("p", {}, el("strong", {}, doubt))),
    el(
      "dl",
      { class: "facts" },
      data.facts.map(({ name, value, note, wide }) =>
        el("div", { class: wide ? "wide" : null }, el("dt", {}, name), el("dd", { class: "value" }, value), note ? el("dd", { class: "more" }, note) : null)
      )
    )
  );
}
