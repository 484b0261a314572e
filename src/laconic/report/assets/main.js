// The page: sections in order, the theme, the list of contents.

function main() {
  const data = unpacked(JSON.parse(document.getElementById("data").textContent));
  const state = makeState(data);
  const sections = [glanceSection(data)];
  if (data.kind === "text classifier") {
    sections.push(trySection(data, state));
    if (data.path && state.scorer) sections.push(budgetSection(data, state));
    sections.push(wordsSection(data));
    if (data.groups) sections.push(groupsSection(data, state));
    if (data.scores) sections.push(errorsSection(data));
    if (data.documents.length) sections.push(documentsSection(data, state));
    if (data.versus.length > 1) sections.push(compareSection(data));
    if (data.making) sections.push(makingSection(data));
  } else {
    sections.push(...structuredSections(data));
  }
  const page = document.getElementById("main");
  page.replaceChildren(...sections);
  masthead(data);
  contents(sections);
  window.laconic = { scorer: state.scorer }; // for the console: laconic.scorer.read("a text")
}

// The data with rows of weights as arrays, which come without their zeros where most are; listed words have what is
// left out of them.
function unpacked(data) {
  if (data.kind !== "text classifier") return data;
  const full = (row) => (Array.isArray(row) ? row : Object.assign(new Array(data.outputs).fill(0), row));
  if (data.model) for (const word of Object.keys(data.model.words)) data.model.words[word] = full(data.model.words[word]);
  data.words = data.words.map((one) => {
    const weights = data.model ? data.model.words[one.word] : full(one.weights);
    const effect = Math.max(...weights.map(Math.abs)) * Math.max(one.documents, 1);
    return { frequency: null, groups: [], more: 0, ...one, weights, effect };
  });
  for (const step of data.path ? data.path.steps : []) if (step.weights) step.weights = step.weights.map(full);
  return data;
}

// What the sections share: the model that scores, and the step of the path it was cut to.
function makeState(data) {
  const followers = [];
  return {
    scorer: data.model ? makeScorer(data.model) : null,
    step: null,
    follow: (action) => followers.push(action),
    cut(step) {
      this.step = step;
      followers.forEach((action) => action());
    },
  };
}

function masthead(data) {
  const root = document.documentElement;
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const button = el("button", { type: "button", class: "theme" });
  const set = (theme) => {
    root.dataset.theme = theme;
    button.textContent = theme === "dark" ? "Light" : "Dark";
    button.setAttribute("aria-label", theme === "dark" ? "Use light colours" : "Use dark colours");
  };
  button.addEventListener("click", () => set(root.dataset.theme === "dark" ? "light" : "dark"));
  dark.addEventListener("change", (event) => set(event.matches ? "dark" : "light"));
  window.addEventListener("beforeprint", () => set("light"));
  set(dark.matches ? "dark" : "light");
  document.getElementById("masthead").append(el("span", { class: "name" }, data.title), button);
}

function contents(sections) {
  const links = sections.map((one) => {
    const heading = one.querySelector("h1, h2");
    return el("a", { href: `#${one.id}` }, one.id === "at-a-glance" ? "At a glance" : heading.textContent);
  });
  document.getElementById("contents").append(...links);
  const seen = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        links.forEach((link) => link.removeAttribute("aria-current"));
        links[sections.indexOf(entry.target)].setAttribute("aria-current", "true");
      }
    },
    { rootMargin: "-15% 0px -75% 0px" }
  );
  sections.forEach((one) => seen.observe(one));
}

main();
