"""The stored tokenizers give the same tokens and offsets when JavaScript applies them."""

import json
import random
import shutil
import subprocess

import pytest

from laconic.text import Tokenizer

NODE = shutil.which("node")
SCRIPT = r"""
const { rule, texts } = JSON.parse(require("fs").readFileSync(0, "utf8"));
const low = new Map(), images = [...rule.lower[1]];
[...rule.lower[0]].forEach((c, i) => low.set(c, images[i]));
const sign = (code) => (code < 128 ? "\\x" + code.toString(16).padStart(2, "0") : String.fromCodePoint(code));
const inside = (ranges) => ranges.map(([a, b]) => sign(a) + "-" + sign(b)).join("");
const source = rule.kind === "regex"
  ? rule.pattern.replace(/\{([a-z]+)\}/g, (_, name) => inside(rule.classes[name]))
  : "[^" + inside(rule.space) + "]+";
const regex = new RegExp(source, "gu");
function strip(start, word, characters) {
  let [a, b] = [0, word.length];
  while (a < b && characters.includes(word[a])) a++;
  while (a < b && characters.includes(word[b - 1])) b--;
  return [start + a, word.slice(a, b)];
}
function spans(text) {
  const lowered = [...text].map((c) => low.get(c) ?? c).join(""), found = [];
  let unit = 0, point = 0;
  for (const match of lowered.matchAll(regex)) {
    point += [...lowered.slice(unit, match.index)].length;
    unit = match.index;
    let start = point, word = [...match[0]];
    if (rule.kind === "chunks") {
      [start, word] = strip(start, word, rule.outer);
      if (word.length < rule.shortest) continue;
      [start, word] = strip(start, word, rule.inner);
      if (word.length === 0 || word.length > rule.longest) continue;
    }
    found.push([start, start + word.length, word.join("")]);
  }
  return found;
}
console.log(JSON.stringify(texts.map(spans)));
"""


@pytest.mark.skipif(NODE is None, reason="node is not installed")
@pytest.mark.parametrize("preset", ["default", "wnut2018"])
def test_javascript_gives_the_same_spans(preset):
    tokenizer = Tokenizer.preset(preset)
    signs = "abZ09_'’.?!()- \n\t\x1c\x85\u3000\ufeffΣςİßẞé\u0301\u200c\u200d東あカー한ไع😀👍🏽🇩🇪❤\ufe0f𐐀𠀀"
    draw = random.Random(0)
    texts = ["".join(draw.choices(signs, k=40)) for _ in range(200)]
    texts += ["".join(f"{chr(c)}x " for c in range(a, a + 512)) for a in range(0, 0x33000, 512) if a // 0x800 != 27]
    request = json.dumps({"rule": tokenizer.to_json(), "texts": texts})
    done = subprocess.run([NODE, "-e", SCRIPT], input=request, capture_output=True, text=True, check=True)
    for text, found in zip(texts, json.loads(done.stdout), strict=True):
        assert [tuple(span) for span in found] == tokenizer.spans(text)
