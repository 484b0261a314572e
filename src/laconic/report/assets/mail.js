// Headers, quotations, attributions and signatures of mail become spaces, as laconic.text.strip_mail has it.
// Lines end at \n for the patterns, whatever JavaScript's own ^, $ and . would say.

function stripMail(text) {
  const blank = (piece) => piece.replace(/[^\r\n]/gu, " ");
  const W = "[\\p{L}\\p{N}_]";
  const verb = `(?<!${W})(?:writes|wrote|says|said)[ \\t]*(?::|\\.\\.+)[ \\t]*\\r?(?![^\\n])`;
  const start = "(?<![^\\n])";
  const quoted = new RegExp(
    `${start}[ \\t]*(?:[>|]|:(?![-'o^]?[()\\[\\]DPp/\\\\|])|[A-Za-z][\\p{L}\\p{N}_.\\-]{0,15}>)[^\\n]*`,
    "gu"
  );
  const attribution = new RegExp(
    `${start}[ \\t]*(?:In (?:article|message|<)|On )[^\\n]{0,300}(?:\\n[^\\n]{1,300}){0,2}?${verb}` +
      `|${start}[^\\n]{0,300}[@<][^\\n]{0,300}${verb}`,
    "gu"
  );
  const header = endOfHeaders(text);
  const body = blank(text.slice(0, header)) + text.slice(header);
  const said = body.replace(quoted, blank).replace(attribution, blank);
  const signature = startOfSignature(said);
  return said.slice(0, signature) + blank(said.slice(signature));
}

function endOfHeaders(text) {
  const telling = /^(?:from|subject|date|newsgroups|message-id|path|references|organization|sender)$/;
  const lines = text.match(/[^\n\r\v\f\x1c-\x1e\x85\u2028\u2029]*(?:\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]|$)/g) || [];
  let end = 0;
  let found = false;
  for (const line of lines) {
    if (Array.from(line).every((character) => SPACES.has(character))) break;
    const field = /^(?:([!-9;-~]+):|[ \t]|From )/.exec(line);
    if (!field || (end === 0 && /^[ \t]/.test(line))) return 0;
    found = found || telling.test((field[1] || "").toLowerCase());
    end += line.length;
  }
  return found ? end : 0;
}

function startOfSignature(text) {
  const proper = /(?<![^\n])-- \r?(?![^\n])/.exec(text);
  if (proper) return proper.index;
  const bare = Array.from(text.matchAll(/(?<![^\n])--\r?(?![^\n])/g));
  return bare.length ? bare[bare.length - 1].index : text.length;
}
