// The whole model as a table: one row per word, with its weight for each class; searched, sorted, filtered by class.

const ROWS = 200; // shown at first

function wordsSection(data) {
  const { classes, words } = data;
  const two = classes.length === 2 && !data.several;
  const columns = two ? [1] : classes.map((_, k) => k);
  const strongest = Math.max(...words.flatMap((one) => one.weights.map(Math.abs)), 1e-9);
  const sampled = words.some((one) => one.frequency !== null);
  const search = el("input", { type: "search", placeholder: "Search words", "aria-label": "Search words" });
  const pick = el(
    "select",
    { "aria-label": "Class" },
    el("option", { value: "" }, "all classes"),
    classes.map((label, k) => el("option", { value: k }, `for ${label}`))
  );
  const body = el("tbody");
  const count = el("span", { class: "small", role: "status" });
  const more = el("button", { type: "button" }, "Show all");
  let order = { by: "effect", down: true };
  let limit = ROWS;

  const weight = (one, k) => (two ? (k === 1 ? one.weights[0] : -one.weights[0]) : one.weights[k]);
  const keys = {
    word: (one) => one.word,
    effect: (one) => one.effect,
    documents: (one) => one.documents,
    frequency: (one) => one.frequency,
  };
  columns.forEach((k) => (keys[`class${k}`] = (one) => weight(one, k)));

  function update() {
    const wanted = search.value.trim().toLowerCase();
    const label = pick.value === "" ? null : Number(pick.value);
    const kept = words.filter((one) => one.word.includes(wanted) && (label === null || weight(one, label) > 0));
    const key = label !== null && order.by === "effect" ? (one) => weight(one, label) * Math.max(one.documents, 1) : keys[order.by];
    kept.sort((a, b) => {
      const [x, y] = [key(a), key(b)];
      const compared = typeof x === "string" ? (x < y ? -1 : x > y ? 1 : 0) : x - y;
      return order.down ? -compared : compared;
    });
    body.replaceChildren(...kept.slice(0, limit).map(row));
    count.textContent = `${whole(kept.length)} of ${whole(words.length)} words`;
    more.hidden = kept.length <= limit;
  }

  function row(one) {
    const groups = one.groups.length ? `in ${one.groups.join("; ")}${one.more ? ` and ${one.more} more` : ""}` : null;
    return el(
      "tr",
      { title: groups },
      el("td", { class: "word" }, one.word, groups ? el("span", { class: "group-note" }, groups) : null),
      columns.map((k) => {
        const value = weight(one, k);
        return el("td", { class: "weight" }, value === 0 ? null : el("span", { class: "weighed" }, balance(value / strongest), el("span", { class: "small" }, signed(value))));
      }),
      el("td", { class: "number" }, whole(one.documents)),
      sampled ? el("td", { class: "number" }, one.frequency === null ? "" : `${Math.round(100 * one.frequency)}%`) : null
    );
  }

  function heading(text, by, kind) {
    const cell = el("th", { scope: "col", class: kind });
    const sort = () => {
      order = { by, down: order.by === by ? !order.down : by !== "word" };
      head.querySelectorAll("th").forEach((one) => one.removeAttribute("aria-sort"));
      cell.setAttribute("aria-sort", order.down ? "descending" : "ascending");
      update();
    };
    cell.append(el("button", { type: "button", on: { click: sort } }, text));
    return cell;
  }

  const head = el(
    "tr",
    {},
    heading("word", "word"),
    columns.map((k) => heading(two ? `${classes[0]} ← weight → ${classes[1]}` : String(classes[k]), `class${k}`)),
    heading("documents", "documents", "number"),
    sampled ? heading("stability", "frequency", "number") : null
  );
  search.addEventListener("input", update);
  pick.addEventListener("change", update);
  more.addEventListener("click", () => {
    limit = Infinity;
    update();
  });
  update();
  return section(
    "Words",
    el(
      "p",
      { class: "note" },
      "This is the whole model: the words of a document are looked up here and their weights added up. ",
      "“documents” is the number of training documents that contain the word; words with a large weight in many of them come first",
      sampled ? "; “stability” is the share of refits on random halves of the training set that kept the word: near 100% means the choice is not a sampling accident." : "."
    ),
    el("div", { class: "row" }, search, pick, count),
    el("div", { class: "tall", tabindex: "0", role: "region", "aria-label": "Words of the model" }, el("table", {}, el("thead", {}, head), body)),
    el("p", {}, more),
    data.kept > words.length ? el("p", { class: "note" }, `${whole(data.kept - words.length)} more words are in the model; laconic inspect --all lists them.`) : null
  );
}
