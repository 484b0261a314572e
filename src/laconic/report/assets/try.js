// A text box: probabilities, words and sentences that matter, updated as one types.

const TOP_CLASSES = 8; // of more, the likeliest are shown

function trySection(data, state) {
  if (data.unscored) return section("Try it", el("p", { class: "note" }, data.unscored));
  const { scorer } = state;
  const box = el("textarea", { id: "text", "aria-label": "A text to classify", placeholder: "Type or paste a text here.", spellcheck: "false" });
  box.value = data.example || "";
  const bars = el("ul", { class: "classes", "aria-label": "Probability of each class" });
  const sentences = el("div", { id: "reading" });
  const spoken = el("p", { class: "small", role: "status", "aria-live": "polite" });
  const many = scorer.classes.length > TOP_CLASSES;
  const more = el("button", { type: "button", hidden: !many });
  let every = !many; // whether all classes are listed
  let chosen = null; // the class that words are evidence for or against: the predicted one, until another is picked

  function update() {
    const found = scorer.read(box.value, { label: chosen, at: state.step });
    const name = String(scorer.classes[found.label]);
    more.textContent = every ? "Show the likeliest classes only" : `Show all ${scorer.classes.length} classes`;
    bars.replaceChildren(
      ...listed(found).map((k) => {
        const label = scorer.classes[k];
        const share = found.probabilities[k];
        const shown = data.probabilistic ? `${(100 * share).toFixed(1)}%` : found.labels.includes(k) ? "predicted" : "";
        return el(
          "li",
          { class: found.labels.includes(k) ? "winner" : null },
          el(
            "button",
            { type: "button", "data-class": k, "aria-pressed": String(k === found.label), title: `Show the evidence for ${label}`, on: { click: () => pick(k) } },
            el("span", { class: "label" }, String(label)),
            el("span", { class: "track" }, data.probabilistic ? el("span", { style: { width: `${100 * share}%` } }) : null),
            el("span", { class: "share" }, shown)
          )
        );
      })
    );
    const known = found.words.length;
    const empty = !box.value.trim();
    if (known) {
      const legend = el(
        "p",
        { class: "legend" },
        el("span", {}, el("mark", { class: "for" }, "word"), ` for ${name}`),
        el("span", {}, el("mark", { class: "against" }, "word"), ` against ${name}`),
        el("span", {}, `bars: contribution of each sentence (log-odds of ${name})`)
      );
      sentences.replaceChildren(reading(box.value, found, name), legend);
    } else {
      const note = empty ? "Type some text to see the prediction." : "No word of this text is in the model, so only the intercept counts.";
      sentences.replaceChildren(el("p", { class: "note" }, note));
    }
    const verdict = found.labels.map((k) => scorer.classes[k]).join(", ") || "No label: no threshold is reached";
    const counted = `${known} ${known === 1 ? "word" : "words"} of this text ${known === 1 ? "is" : "are"} in the model`;
    spoken.textContent = empty ? "" : `${verdict}; ${counted}${state.step ? `, cut to ${state.step.size} words` : ""}.`;
  }

  function listed({ label, probabilities }) {
    const order = scorer.classes.map((_, k) => k);
    if (every) return order;
    const likeliest = order.sort((a, b) => probabilities[b] - probabilities[a] || a - b).slice(0, TOP_CLASSES);
    return likeliest.includes(label) ? likeliest : [...likeliest.slice(0, -1), label];
  }

  function pick(k) {
    const back = document.activeElement;
    chosen = chosen === k ? null : k;
    update();
    if (back && back !== box) bars.querySelector(`[data-class="${k}"]`).focus();
  }

  function start(text) {
    box.value = text;
    chosen = null;
    update();
  }

  more.addEventListener("click", () => {
    every = !every;
    update();
  });
  box.addEventListener("input", update);
  state.follow(update);
  state.show = (text) => {
    start(text);
    document.getElementById("try-it").scrollIntoView();
    box.focus();
  };
  const chips = strongest(data, scorer).map((word) =>
    el("button", { type: "button", class: "chip", on: { click: () => start(`${box.value.trim()} ${word}`.trim()) } }, word)
  );
  update();
  return section(
    "Try it",
    el("p", { class: "note" }, "This box runs the model itself, in the page. Type to see which words and sentences matter; pick a class to see the evidence for it."),
    el(
      "div",
      { class: "try" },
      el("div", {}, box, el("div", { class: "row", "aria-label": "Words to add" }, el("span", { class: "small" }, "add:"), chips, el("button", { type: "button", class: "chip", on: { click: () => start("") } }, "clear"))),
      el("div", { class: "card" }, bars, more, sentences, spoken)
    )
  );
}

// The words of every class with the most effect in training, a few in all.
function strongest(data, scorer) {
  const each = Math.max(1, Math.floor(6 / scorer.classes.length));
  const found = new Set();
  scorer.classes.forEach((_, k) => {
    const own = data.words.map((one) => [one.word, scorer.pull(one.weights, k) * Math.max(one.documents, 1)]).filter(([, pull]) => pull > 0);
    own.sort((a, b) => b[1] - a[1]);
    own.slice(0, each).forEach(([word]) => found.add(word));
  });
  return Array.from(found).slice(0, 8);
}
