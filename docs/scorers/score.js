// Scores texts with a model that `laconic export MODEL --to json` wrote: node score.js model.json < texts.json
// The texts are a JSON list; the answer is a list of probabilities, one per class. For models of words.
const fs = require("fs");
const model = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
const { rule, lower, ngrams, markup = { patterns: [], names: "", characters: "" } } = model.analyzer;
const read = Array.from(markup.characters), named = new Map(markup.names.split(" ").map((name, i) => [name, read[i]]));
const [upper, lowered] = lower.map((text) => Array.from(text));
const table = new Map(upper.map((character, i) => [character, lowered[i]]));
const words = new Map(Object.entries(model.words)), idf = new Map(Object.entries(model.idf || {}));

function character(whole, name) {
  if (typeof name !== "string") return " "; // a tag: the second argument is then its place
  const number = /^#(x?[0-9a-f]+)$/.exec(name.toLowerCase()), code = number && Number(number[1].replace("x", "0x"));
  if (named.has(name.toLowerCase()) || number === null) return named.get(name.toLowerCase()) ?? whole;
  return code < 0xd800 || (code > 0xdfff && code < 0x110000) ? String.fromCodePoint(code) : whole;
}

function probabilities(text) {
  for (const pattern of markup.patterns) text = text.replace(new RegExp(pattern, "gu"), character);
  let tokens = Array.from(text, (c) => table.get(c) ?? c).join("").match(new RegExp(rule.regex, "gu")) || [];
  if (rule.cut) tokens = tokens.map((token) => (token.includes(".") ? token.replace(new RegExp(rule.cut, "gu"), "") : token));
  const cells = new Map();
  for (let n = ngrams[0]; n <= ngrams[1]; n++)
    for (let i = 0; i + n <= tokens.length; i++) {
      const feature = tokens.slice(i, i + n).join(" ");
      if (words.has(feature) || idf.has(feature)) cells.set(feature, (cells.get(feature) || 0) + 1);
    }
  if (model.cells === "binary") for (const word of cells.keys()) cells.set(word, 1);
  if (model.cells === "tfidf") {
    for (const [word, count] of cells) cells.set(word, count * idf.get(word));
    const length = Math.hypot(...cells.values());
    for (const [word, value] of cells) cells.set(word, value / length);
  }
  let margins = model.intercept.slice();
  for (const [word, value] of cells) (words.get(word) || []).forEach((weight, k) => (margins[k] += value * weight));
  if (margins.length === 1) margins = [0, margins[0]];
  const shares = margins.map((margin) => Math.exp(margin - Math.max(...margins)));
  return shares.map((share) => share / shares.reduce((a, b) => a + b));
}
console.log(JSON.stringify(JSON.parse(fs.readFileSync(0, "utf8")).map(probabilities)));
