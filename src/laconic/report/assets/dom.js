// Building the page out of nodes; text is always set as text, so that nothing in a document can become markup.

function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") for (const [event, action] of Object.entries(value)) node.addEventListener(event, action);
    else if (name === "style") for (const [rule, one] of Object.entries(value)) node.style.setProperty(rule, one);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

function section(title, ...children) {
  const id = title.toLowerCase().replace(/[^a-z]+/g, "-");
  return el("section", { id, "aria-labelledby": `${id}-title` }, el("h2", { id: `${id}-title` }, title), ...children);
}

function signed(value, digits = 2) {
  const shown = Math.abs(value).toFixed(digits);
  return Number(shown) === 0 ? shown : (value < 0 ? "−" : "+") + shown;
}

function whole(value) {
  return Math.round(value).toLocaleString("en");
}

// A bar to the right for what speaks for, to the left for what speaks against; share is from -1 to 1.
function balance(share) {
  const width = `${Math.min(Math.abs(share), 1) * 50}%`;
  return el("span", { class: "balance", "aria-hidden": "true" }, el("span", { class: share < 0 ? "against" : "for", style: { width } }));
}

// A text with its words marked; words are { start, end, pull } in code points and must not overlap in what is shown.
function marked(characters, start, end, words, strongest) {
  const parts = [];
  let at = start;
  for (const one of words) {
    if (one.start < at || one.end > end) continue;
    parts.push(characters.slice(at, one.start).join(""));
    const strength = 12 + 33 * Math.min(Math.abs(one.pull) / strongest, 1);
    const content = characters.slice(one.start, one.end).join("");
    const title = `${one.word}: ${signed(one.pull, 3)}`;
    parts.push(el("mark", { class: one.pull < 0 ? "against" : "for", style: { "--s": `${strength}%` }, title }, content));
    at = one.end;
  }
  parts.push(characters.slice(at, end).join(""));
  return parts;
}

// A document as a list of sentences, each with a bar for its influence on a class and its words marked.
function reading(text, found, label) {
  const characters = Array.from(text);
  const words = found.words
    .filter((one) => Math.abs(one.pull) >= 5e-4) // smaller ones would read 0.000
    .sort((a, b) => a.start - b.start || b.end - a.end);
  const strongest = Math.max(...words.map((one) => Math.abs(one.pull)), 1e-9);
  const widest = Math.max(...found.sentences.map((one) => Math.abs(one.odds)), 0.5);
  const top = Math.max(...found.sentences.map((one) => one.odds));
  return el(
    "div",
    { class: "sentences", role: "list", "aria-label": `Sentences and their influence on ${label}` },
    found.sentences.map((one) => {
      const telling = one.odds > 0.05 && one.odds === top && found.sentences.length > 1;
      const title = `Without this sentence the log-odds of ${label} change by ${signed(-one.odds)}.`;
      return el(
        "div",
        { class: telling ? "sentence telling" : "sentence", role: "listitem" },
        el("div", { class: "gauge", title }, balance(one.odds / widest), el("span", {}, one.odds === 0 ? "0" : signed(one.odds))),
        el("p", {}, marked(characters, one.start, one.end, words, strongest))
      );
    })
  );
}
