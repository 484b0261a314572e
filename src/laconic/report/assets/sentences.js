// Sentences of a typed text. Python splits by the sentencex package; these are its main rules for English: a run of end
// marks ends a sentence, unless a small letter, a digit or a comma follows at once, dots are followed by a small letter,
// an abbreviation stands before a full stop, or it lies inside quotation marks, brackets or an address. Documents that
// come with the page bring Python's own sentences.

const ABBREVIATIONS = new Set(
  (
    "a b c d e f g h i j k l m n o p q r s t u v w x y z adj adm adv al apr approx apt arc assn assoc asst aug ave " +
    "blvd bros capt cert cf cmdr co col comdr con corp cpl dec dept det dist dr ed eds e.g esp est etc ext feb fig figs " +
    "ft fwd gen gov govt hon hosp i.e inc insp intl jan jr jul jun lieut lt ltd maj mar messrs mfg mgr min misc mlle " +
    "mme mr mrs ms msgr mt mts mtn no nos nov oct op ord pg ph.d pp pres prof pvt rd rep reps rev sec sen sens sep sept " +
    "sfc sgt sr st supt univ vol vols vs viz yrs"
  ).split(" ")
);
const END_MARKS = /[!.?։؟۔।॥။።᠃‼‽⁇⁈⁉。！．？｡]+/gu;
const UNBROKEN = /"[^"]*"|\B'\b[^']*'\B|“[^”]*”|«[^»]*»|„[^“]*“|「[^」]*」|\([^)]*\)|\[[^\]]*\]|\{[^}]*\}|<[^>]*>|[\w.%+-]+@[\w.-]+\.[A-Za-z]{2,7}/gu;
const QUOTE_ENDS = "\"'”»“」";

function sentenceSpans(text) {
  const borders = [];
  for (const [first, last] of paragraphs(text)) {
    let start = first;
    for (const end of sentenceEnds(text.slice(first, last))) {
      borders.push([start, first + end]);
      start = first + end;
    }
    borders.push([start, last]);
  }
  const units = codePointPlaces(text);
  return borders
    .map(([start, end]) => trimmed(text, start, end))
    .filter(([start, end]) => start < end)
    .map(([start, end]) => [units[start], units[end]]);
}

function paragraphs(text) {
  const found = [];
  let start = 0;
  for (const gap of text.matchAll(/\n\r*\n/g)) {
    found.push([start, gap.index]);
    start = gap.index + gap[0].length;
  }
  return [...found, [start, text.length]];
}

function sentenceEnds(text) {
  const whole = Array.from(text.matchAll(UNBROKEN), (match) => [match.index, match.index + match[0].length]);
  const found = [];
  for (const match of text.matchAll(END_MARKS)) {
    let end = match.index + match[0].length;
    const after = text.slice(match.index + 1);
    if (/^[0-9a-z]/.test(after) || /^[,;:]/.test(text.slice(end))) continue;
    if (match[0] === "." && isAbbreviation(text.slice(0, match.index), after)) continue;
    if (/^\.\.+$/.test(match[0]) && /^\s*(?:[a-z]|I\b)/.test(text.slice(end))) continue;
    const range = whole.find(([a, b]) => a < end && end < b);
    if (range) {
      const closes = end + 1 === range[1] && QUOTE_ENDS.includes(text[end]);
      if (!closes || /^\s*[0-9a-z]/.test(text.slice(range[1]))) continue;
      end = range[1];
    }
    if (!found.length || end > found[found.length - 1]) found.push(end);
  }
  return found;
}

function isAbbreviation(head, after) {
  const word = head.split(/[\s.]/u).pop();
  return word !== "" && ABBREVIATIONS.has(word.toLowerCase()) && after !== "";
}

function trimmed(text, start, end) {
  while (start < end && SPACES.has(text[start])) start++;
  while (end > start && SPACES.has(text[end - 1])) end--;
  return [start, end];
}

// For each code unit the number of its code point.
function codePointPlaces(text) {
  const places = new Uint32Array(text.length + 1);
  let point = 0;
  for (let unit = 0; unit < text.length; unit++) {
    places[unit] = point;
    const pair = text.codePointAt(unit) > 0xffff;
    if (pair) places[++unit] = point;
    point++;
  }
  places[text.length] = point;
  return places;
}
