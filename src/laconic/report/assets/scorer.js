// The model itself: from a text to probabilities, words and sentences, with the numbers that Python gives.
// All places are code points, as in Python. `model` is what `laconic export --to json` writes.

const SPACES = new Set(
  "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a" +
    "\u2028\u2029\u202f\u205f\u3000"
);

function makeScorer(model) {
  const { kind, ngrams, strip_mail, lower, rule } = model.analyzer;
  const [upper, lowered] = lower.map((text) => Array.from(text));
  const lowerTable = new Map(upper.map((character, i) => [character, lowered[i]]));
  const regex = rule.kind === "regex" ? new RegExp(rule.regex, "gu") : null;
  const cut = rule.cut ? new RegExp(rule.cut, "gu") : null;
  const plain = plainText(model.analyzer.markup);
  const words = new Map(Object.entries(model.words));
  const idf = model.idf ? new Map(Object.entries(model.idf)) : null;
  const outputs = model.intercept.length;

  // Features with their places: [start, end, feature].
  function spans(text) {
    const given = strip_mail ? stripMail(text) : text;
    const [read, places] = kind === "word" && plain ? plain(given) : [Array.from(given), null];
    const characters = read.map((character) => lowerTable.get(character) ?? character);
    if (kind === "char") return charNgrams(characters, ngrams);
    if (kind === "char_wb") return charWbNgrams(characters, ngrams);
    let found = regex ? matches(characters, regex) : chunks(characters, rule);
    if (places) found = found.map(([start, end, token]) => [places[start], places[end], token]);
    if (cut) found = found.map(([start, end, token]) => [start, end, token.includes(".") ? token.replace(cut, "") : token]);
    return wordNgrams(found, ngrams);
  }

  function counted(features) {
    const counts = new Map();
    for (const feature of features) counts.set(feature, (counts.get(feature) || 0) + 1);
    return counts;
  }

  // What a word's weight is multiplied by.
  function cells(counts) {
    const values = new Map();
    if (model.cells === "binary") for (const word of counts.keys()) values.set(word, 1);
    else if (model.cells === "count") return counts;
    else {
      let square = 0;
      for (const [word, count] of counts) {
        const value = count * idf.get(word);
        values.set(word, value);
        square += value * value;
      }
      const length = Math.sqrt(square) || 1;
      for (const [word, value] of values) values.set(word, value / length);
    }
    return values;
  }

  function marginsOf(counts, weights = words, intercept = model.intercept) {
    const margins = Array.from(intercept);
    for (const [word, value] of cells(counts)) {
      const row = weights.get(word);
      if (row) for (let k = 0; k < outputs; k++) margins[k] += value * row[k];
    }
    return margins;
  }

  // Log-probabilities of all classes; two classes have one margin, for the second.
  function logProbabilities(margins, plain = !model.calibration) {
    if (!plain) return calibratedShares(model.calibration, margins).map((one) => Math.log(Math.max(one, 1e-300)));
    const every = outputs === 1 ? [0, margins[0]] : margins;
    const top = Math.max(...every);
    const total = top + Math.log(every.reduce((sum, one) => sum + Math.exp(one - top), 0));
    return every.map((one) => one - total);
  }

  // log P / (1 − P) of a class.
  function logOdds(margins, label, plain = !model.calibration) {
    if (!plain) {
      const share = calibratedShares(model.calibration, margins)[label];
      return Math.log(Math.max(share, 1e-300)) - Math.log(Math.max(1 - share, 1e-300));
    }
    const every = outputs === 1 ? [0, margins[0]] : margins;
    const others = every.filter((_, k) => k !== label);
    const top = Math.max(...others);
    return every[label] - top - Math.log(others.reduce((sum, one) => sum + Math.exp(one - top), 0));
  }

  // The weight of a word for a class; of two classes the first has the opposite of the second's.
  function pull(row, label) {
    if (outputs > 1) return row[label];
    return label === 1 ? row[0] : -row[0];
  }

  // What a word adds to the log-odds of a class, before any calibration; every class counts, as in Explanation.effects.
  function effect(margins, row, value, label) {
    if (outputs === 1 || model.calibration?.several) return pull(row, label) * value;
    return logOdds(margins, label, true) - logOdds(margins.map((one, k) => one - value * row[k]), label, true);
  }

  // Everything about a text. `at` is a step of a path, { weights: Map, intercept }, or nothing for the model itself.
  function read(text, { label = null, borders = null, at = null } = {}) {
    const weights = at ? at.weights : words;
    const intercept = at ? at.intercept : model.intercept;
    const known = idf || weights; // tf-idf also counts words without a weight, for the length of a row
    const found = spans(text).filter(([, , feature]) => known.has(feature));
    const counts = counted(found.map(([, , feature]) => feature));
    const margins = marginsOf(counts, weights, intercept);
    const plain = !model.calibration || Boolean(at); // a calibration is that of the model itself
    const before = logProbabilities(margins, plain);
    const likely = (values) => values.indexOf(Math.max(...values));
    let predicted = outputs === 1 ? Number(margins[0] > 0) : likely(margins);
    if (!plain) predicted = reached(model.calibration, before.map(Math.exp)); // -1: no threshold is reached
    const labels = !plain && model.calibration.several ? given(model.calibration, before.map(Math.exp)) : predicted < 0 ? [] : [predicted];
    const shown = label ?? (predicted < 0 ? likely(before) : predicted);
    const values = cells(counts);
    const seen = found
      .filter(([, , word]) => weights.has(word))
      .map(([start, end, word]) => ({ start, end, word, pull: effect(margins, weights.get(word), values.get(word), shown) }));
    const sentences = (borders || sentenceSpans(text)).map(([start, end]) => ({ start, end, influence: 0, odds: 0 }));
    const lost = sentences.map(() => []);
    for (const [start, end, feature] of found) {
      sentences.forEach((one, i) => {
        const starts = one.start <= start && start < one.end;
        if (starts || (start < one.start && one.start < end)) lost[i].push(feature);
      });
    }
    sentences.forEach((one, i) => {
      if (!lost[i].length) return;
      const rest = new Map(counts);
      for (const feature of lost[i]) {
        if (rest.get(feature) > 1) rest.set(feature, rest.get(feature) - 1);
        else rest.delete(feature);
      }
      const left = marginsOf(rest, weights, intercept);
      one.influence = before[shown] - logProbabilities(left, plain)[shown];
      one.odds = logOdds(margins, shown, plain) - logOdds(left, shown, plain);
    });
    return { predicted, labels, label: shown, margins, probabilities: before.map(Math.exp), words: seen, sentences };
  }

  return { read, spans, pull, words, classes: model.classes };
}

// A function that reads entities as their characters and tags as spaces; it gives characters and where each was, and
// the end. As laconic.text.tokenizer does.
function plainText(markup) {
  if (!markup) return null;
  const patterns = markup.patterns.map((pattern) => new RegExp(pattern, "gu"));
  const read = Array.from(markup.characters);
  const table = new Map(markup.names.split(" ").map((name, i) => [name, read[i]]));
  const character = ([whole, name], tag) => {
    if (tag) return " ";
    if (table.has(name.toLowerCase())) return table.get(name.toLowerCase());
    if (!/^#([0-9]+|[xX][0-9a-fA-F]+)$/u.test(name)) return whole;
    const code = Number(name.slice(1).replace(/^x/iu, "0x"));
    return code < 0xd800 || (code > 0xdfff && code < 0x110000) ? String.fromCodePoint(code) : whole;
  };
  return (given) => {
    let text = given;
    let places = Array.from(text, (_, i) => i);
    places.push(places.length);
    for (const pattern of patterns) {
      const [parts, kept] = [[], []];
      let [end, place] = [0, 0]; // code units and code points
      for (const match of text.matchAll(pattern)) {
        const before = text.slice(end, match.index);
        const one = character(match, match.length === 1);
        const start = place + Array.from(before).length;
        end = match.index + match[0].length;
        parts.push(before, one);
        kept.push(...places.slice(place, one === match[0] ? start + one.length : start + 1));
        place = start + match[0].length;
      }
      text = parts.join("") + text.slice(end);
      places = kept.concat(places.slice(place));
    }
    return [Array.from(text), places];
  };
}

function matches(characters, regex) {
  const text = characters.join("");
  const place = new Uint32Array(text.length + 1); // of a code unit: its code point
  let unit = 0;
  characters.forEach((character, i) => {
    for (let k = 0; k < character.length; k++) place[unit++] = i;
  });
  place[unit] = characters.length;
  return Array.from(text.matchAll(regex), (match) => [place[match.index], place[match.index + match[0].length], match[0]]);
}

function chunks(characters, { space, outer, shortest, inner, longest }) {
  const isSpace = (character) => {
    const code = character.codePointAt(0);
    return space.some(([first, last]) => first <= code && code <= last);
  };
  const found = [];
  for (let start = 0; start < characters.length; ) {
    let end = start;
    while (end < characters.length && !isSpace(characters[end])) end++;
    let [a, b] = stripped(characters, start, end, outer);
    if (b - a >= shortest) {
      [a, b] = stripped(characters, a, b, inner);
      if (b > a && b - a <= longest) found.push([a, b, characters.slice(a, b).join("")]);
    }
    start = end + 1;
  }
  return found;
}

function stripped(characters, start, end, strip) {
  const removed = new Set(strip);
  while (start < end && removed.has(characters[start])) start++;
  while (end > start && removed.has(characters[end - 1])) end--;
  return [start, end];
}

function wordNgrams(spans, [shortest, longest]) {
  const found = [];
  for (let n = shortest; n <= longest; n++) {
    for (let i = 0; i + n <= spans.length; i++) {
      const words = spans.slice(i, i + n);
      found.push([words[0][0], words[n - 1][1], words.map((span) => span[2]).join(" ")]);
    }
  }
  return found;
}

// A run of two or more white-space characters counts as one space.
function charNgrams(characters, [shortest, longest]) {
  const places = [];
  const single = [];
  for (let i = 0; i < characters.length; ) {
    let end = i + 1;
    if (SPACES.has(characters[i])) while (end < characters.length && SPACES.has(characters[end])) end++;
    places.push([i, end]);
    single.push(end - i > 1 ? " " : characters[i]);
    i = end;
  }
  const found = [];
  for (let n = shortest; n <= longest; n++) {
    for (let i = 0; i + n <= single.length; i++) {
      found.push([places[i][0], places[i + n - 1][1], single.slice(i, i + n).join("")]);
    }
  }
  return found;
}

// Inside words only, which get a space at both ends; a word not longer than n counts once, whole.
function charWbNgrams(characters, [shortest, longest]) {
  const found = [];
  for (let start = 0; start < characters.length; ) {
    let end = start;
    while (end < characters.length && !SPACES.has(characters[end])) end++;
    if (end > start) {
      const padded = [" ", ...characters.slice(start, end), " "];
      const most = Math.min(longest, Math.max(padded.length, shortest));
      for (let n = shortest; n <= most; n++) {
        for (let i = 0; i <= Math.max(padded.length - n, 0); i++) {
          const last = Math.min(start + i - 1 + n, end);
          found.push([start + Math.max(i - 1, 0), last, padded.slice(i, i + n).join("")]);
        }
      }
    }
    start = end + 1;
  }
  return found;
}
