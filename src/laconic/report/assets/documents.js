// The documents included in the page, worst mistakes first, with the sentences and words that mattered.

const PAGE = 20;

function documentsSection(data, state) {
  const { documents, classes } = data;
  const pick = el("select", { "aria-label": "Class" }, el("option", { value: "" }, "all classes"), classes.map((name) => el("option", { value: name }, `true class: ${name}`)));
  const right = el("select", { "aria-label": "Right or wrong" }, [["", "right and wrong"], ["wrong", "only wrong"], ["right", "only right"]].map(([value, text]) => el("option", { value }, text)));
  const list = el("div", {});
  const count = el("span", { class: "small", role: "status" });
  const more = el("button", { type: "button" }, "Show more");
  let shown = PAGE;

  function update() {
    const kept = documents.filter((one) => (!pick.value || one.label === pick.value) && (!right.value || (one.label === one.predicted) === (right.value === "right")));
    list.replaceChildren(...kept.slice(0, shown).map(row));
    count.textContent = `${whole(kept.length)} of ${whole(documents.length)} documents`;
    more.hidden = kept.length <= shown;
  }

  function row(one) {
    const wrong = one.label !== null && one.label !== one.predicted;
    const sentences = one.sentences.map(([start, end, odds]) => ({ start, end, odds }));
    const words = state.scorer
      ? state.scorer.read(one.text, { label: classes.indexOf(one.predicted), borders: [] }).words
      : one.words.map(([start, end, pull, word]) => ({ start, end, pull, word }));
    const found = { words, sentences };
    return el(
      "article",
      { class: "document" },
      el(
        "div",
        { class: "head" },
        el("strong", {}, one.id),
        el("span", { class: wrong ? "badge wrong" : "badge" }, `${one.predicted}${one.probability === null ? "" : ` ${(100 * one.probability).toFixed(0)}%`}`),
        wrong ? el("span", {}, `true class: ${one.label}`) : null,
        state.scorer ? el("button", { type: "button", class: "chip", on: { click: () => state.show(one.text) } }, "Try it") : null
      ),
      reading(one.text, found, one.predicted),
      one.cut ? el("p", { class: "small" }, `… and ${whole(one.cut)} more characters, not included in this page.`) : null
    );
  }

  const again = () => {
    shown = PAGE;
    update();
  };
  pick.addEventListener("change", again);
  right.addEventListener("change", again);
  more.addEventListener("click", () => {
    shown += PAGE;
    update();
  });
  update();
  return section(
    "Documents",
    el("p", { class: "warning" }, "This page contains document text: anyone who gets the file can read it, so share it with care."),
    el("p", { class: "note" }, "Worst mistakes first. The bar of each sentence is its contribution to the predicted label (log-odds)."),
    el("div", { class: "row" }, pick, right, count),
    list,
    el("p", {}, more)
  );
}
