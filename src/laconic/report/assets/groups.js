// The groups that the model kept, strongest first, by family; those inside one another are indented.

function groupsSection(data, state) {
  const { groups, source, selected, removed, different } = data.groups;
  const families = Array.from(new Set(groups.map(family)));
  const speaks = new Map(data.words.map((one) => [one.word, favoured(data, one.weights)]));
  const strongest = Math.max(...groups.map((one) => one.norm), 1e-9);
  const search = el("input", { type: "search", placeholder: "Search groups and words", "aria-label": "Search groups and words" });
  const pick = el("select", { "aria-label": "Family" }, el("option", { value: "" }, "all families"), families.map((name) => el("option", {}, name)));
  const list = el("div", { class: "tall", tabindex: "0", role: "region", "aria-label": "Selected groups" });
  const count = el("span", { class: "small", role: "status" });

  function update() {
    const wanted = search.value.trim().toLowerCase();
    const kept = groups.filter((one) => (!pick.value || family(one) === pick.value) && (one.name.toLowerCase().includes(wanted) || one.words.some((word) => word.includes(wanted))));
    list.replaceChildren(...kept.map(row));
    count.textContent = `${whole(kept.length)} of ${whole(groups.length)} shown`;
  }

  function row(one) {
    return el(
      "div",
      { class: "group" },
      el("div", {}, el("span", { class: "track", title: `norm ${one.norm.toFixed(3)}` }, el("span", { style: { width: `${(100 * one.norm) / strongest}%` } })), el("span", { class: "small" }, one.norm.toFixed(3))),
      el(
        "div",
        { style: { "padding-left": `${1.25 * depth(one, groups)}rem` } },
        el("div", { class: "words" }, one.words.map((word, i) => [i ? ", " : "", el("span", { class: "spoken", style: { color: classColour(speaks.get(word) ?? 0) }, title: `evidence for ${data.classes[speaks.get(word) ?? 0]}` }, word)])),
        el("div", { class: "name" }, one.name)
      )
    );
  }

  search.addEventListener("input", update);
  pick.addEventListener("change", update);
  update();
  const merged = different !== null && different !== selected ? ` Only ${whole(different)} of them differ in the words they have in the model; identical ones are shown once.` : "";
  return section(
    "Groups",
    el("p", { class: "note" }, `Words come in groups (${source}) that are kept or dropped together: ${whole(selected)} groups are in the model, ${whole(removed)} were removed.${merged} The bar is the group's norm; each word has the colour of the class it is evidence for.`),
    key(data.classes.map((name, k) => [name, classColour(k), DASHES[k % 8]])),
    el("div", { class: "row" }, search, families.length > 1 ? pick : null, count),
    list
  );
}

const family = (group) => group.name.split(/[\s:]/)[0];

// The class a word is the strongest evidence for.
function favoured(data, weights) {
  return weights.length === 1 ? Number(weights[0] > 0) : weights.indexOf(Math.max(...weights));
}

// In how many larger groups of the list a Brown cluster or a constituent lies: those whose bit path its own begins with.
function depth(group, groups) {
  const path = /^cluster ([01]+)/.exec(group.name);
  if (!path) return 0;
  return groups.filter((other) => {
    const outer = /^cluster ([01]+)/.exec(other.name);
    return outer && outer[1] !== path[1] && path[1].startsWith(outer[1]);
  }).length;
}
