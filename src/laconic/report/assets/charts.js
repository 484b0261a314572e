// Plots as SVG, drawn for the width they have and again when that changes; colours come from the style sheet.

function chart(caption, label, draw, height = 260) {
  const box = el("div");
  const redraw = () => {
    const width = Math.max(box.clientWidth, 240);
    box.replaceChildren(svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label }, draw(width, height)));
  };
  new ResizeObserver(redraw).observe(box);
  return { figure: el("figure", { class: "card" }, el("figcaption", {}, caption), box), redraw };
}

// series: [{ points: [[x, y, error?]], colour, line, dots, name }]; marks: [{ x, y, text, colour, filled }]
function plot({ x, y, series, marks = [], diagonal = false }) {
  return (width, height) => {
    const edge = { left: 46, right: 14, top: 12, bottom: 40 };
    const inner = [width - edge.left - edge.right, height - edge.top - edge.bottom];
    const scaled = (value, axis) => {
      const of = axis.log ? Math.log : (one) => one;
      return (of(value) - of(axis.low)) / (of(axis.high) - of(axis.low) || 1);
    };
    const across = (value) => edge.left + inner[0] * scaled(value, x);
    const down = (value) => edge.top + inner[1] * (1 - scaled(value, y));
    const stroke = (colour, more = {}) => ({ style: { stroke: colour, fill: "none", ...more } });
    const parts = [];
    const room = Math.max(2, Math.floor(inner[0] / 56));
    for (const tick of thinned(x.log ? logTicks(x.low, x.high) : ticks(x.low, x.high, room), room)) {
      parts.push(svg("line", { class: "axis", x1: across(tick), x2: across(tick), y1: edge.top, y2: edge.top + inner[1] }));
      parts.push(svg("text", { x: across(tick), y: edge.top + inner[1] + 16, "text-anchor": "middle" }, x.format(tick)));
    }
    for (const tick of ticks(y.low, y.high, 5)) {
      parts.push(svg("line", { class: "axis", x1: edge.left, x2: width - edge.right, y1: down(tick), y2: down(tick) }));
      parts.push(svg("text", { x: edge.left - 6, y: down(tick) + 4, "text-anchor": "end" }, y.format(tick)));
    }
    parts.push(svg("text", { x: edge.left + inner[0] / 2, y: height - 4, "text-anchor": "middle" }, x.label));
    if (diagonal) parts.push(svg("line", { x1: across(x.low), y1: down(y.low), x2: across(x.high), y2: down(y.high), ...stroke("var(--soft)", { "stroke-dasharray": "4 4" }) }));
    for (const one of series) {
      const d = one.points.map(([a, b], i) => `${i ? "L" : "M"}${across(a)} ${down(b)}`).join("");
      if (one.line) parts.push(svg("path", { d, ...stroke(one.colour, { "stroke-width": "2", "stroke-dasharray": one.dash || "none" }) }));
      for (const [a, b, error] of one.points) {
        const title = svg("title", {}, `${one.name}: ${x.label} ${x.format(a)}, ${y.label} ${b.toFixed(3)}${error ? ` ± ${error.toFixed(3)}` : ""}`);
        if (error) parts.push(svg("line", { x1: across(a), x2: across(a), y1: down(Math.max(b - error, y.low)), y2: down(Math.min(b + error, y.high)), ...stroke(one.colour, { opacity: ".55" }) }));
        if (one.dots) parts.push(svg("circle", { cx: across(a), cy: down(b), r: 4, style: { fill: one.colour } }, title));
      }
    }
    for (const { x: a, y: b, text, colour, filled, above } of marks) {
      const right = across(a) > width - 90;
      parts.push(svg("circle", { cx: across(a), cy: down(b), r: 7, style: { stroke: colour, "stroke-width": "2.5", fill: filled ? colour : "none" } }));
      if (text) parts.push(svg("text", { class: "strong", x: across(a) + (right ? -10 : 10), y: down(b) + (above ? -10 : 18), "text-anchor": right ? "end" : "start" }, text));
    }
    return parts;
  };
}

function ticks(low, high, most) {
  const rough = (high - low) / Math.max(most, 1) || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough * 0.999);
  const found = [];
  for (let tick = Math.ceil(low / step - 1e-9) * step; tick <= high + step * 1e-9; tick += step) found.push(Number(tick.toPrecision(10)));
  return found;
}

function logTicks(low, high) {
  const found = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
    for (const step of [1, 2, 5]) {
      const tick = Number((step * 10 ** power).toPrecision(3));
      if (tick >= low * 0.999 && tick <= high * 1.001) found.push(tick);
    }
  }
  return found;
}

function thinned(found, most) {
  const every = Math.ceil(found.length / most);
  return found.filter((_, i) => i % every === 0);
}

// A range for an axis with some room at both ends.
function around(values, room = 0.08) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const extra = (high - low || 0.1) * room;
  return [low - extra, high + extra];
}

function key(entries) {
  return el(
    "p",
    { class: "legend" },
    entries.map(([name, colour, dash]) => {
      const line = svg("line", { x1: 0, x2: 26, y1: 6, y2: 6, style: { stroke: colour, "stroke-width": "3", "stroke-dasharray": dash || "none" } });
      return el("span", { class: "entry" }, svg("svg", { width: 26, height: 12, "aria-hidden": "true" }, line), " ", name);
    })
  );
}

const DASHES = ["none", "7 3", "2 3", "9 3 2 3", "12 4", "4 2", "1 4", "6 2 1 2 1 2"];
const classColour = (k) => `var(--c${k % 8})`;
