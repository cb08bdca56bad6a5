// Pictures of a page: each is drawn as SVG when it comes into sight, as wide as its place.
// A style sheet colours them, so light, dark and paper need no drawing of their own.
const read = (id) => JSON.parse(document.getElementById(id).textContent);
const figures = read("figures");
const HUES = 8;
const MOST_NAMED = 10;
const HEIGHT = 240;

// Two plots beside each other on a page of A4 or Letter, or a wide one.
const paper = (plot) => (plot.matches(".plots > :not(.samples, .timeline) > .plot") ? 340 : 680);

// A cluster has one colour in every picture; what is in none (0) is grey.
const hue = (trace, k) => (trace.cluster === undefined ? k % HUES : ((trace.cluster || HUES) - 1) % HUES);

function stacked(traces, layout) {
  if (layout.barmode !== "stack") return traces.map(() => null);
  let total = null;
  return traces.map((trace) => {
    if (trace.type !== "bar") return null;
    const below = total;
    total = trace.y.map((value, k) => value + (total?.[k] ?? 0));
    return below;
  });
}

function tracks(traces, layout) {
  const names = layout.yaxis.categoryarray ?? [];
  const boxed = traces.filter((trace) => trace.type === "box").map((trace) => trace.name);
  return [...names, ...boxed];
}

// The inside of a picture: margins follow what stands at its edges.

function frame(traces, below, { layout }, width, height) {
  const covers = traces.map((trace, k) => covered(trace, below[k]));
  const upright = traces.some((trace) => trace.type === "bar" && !isFlat(trace));
  const names = tracks(traces, layout);
  const kinds = { x: layout.xaxis, y: layout.yaxis };
  const all = (key) => covers.flatMap((one) => one[key]);
  const scaled = (key, pixels, gap) =>
    (kinds[key].type === "log" ? logScale : linearScale)(
      ends(all(key), kinds[key], key === "y" && upright), pixels, gap);
  const top = (layout.yaxis.title?.text ? 22 : 8) + (layout.annotations ? 30 : 0);
  const bottom = height - 42;
  const y = names.length ? categoryScale(names, [top, bottom]) : scaled("y", [bottom, top], 38);
  const longest = Math.max(...y.marks.map(([, text]) => text.length), 1);
  const left = Math.min(longest * 7 + 14, width / 2);
  const x = scaled("x", [left, width - 12], 84);
  if (kinds.x.tickvals) x.marks = kinds.x.tickvals.map((value) => [value, label(value)]);
  return { x, y, left, right: width - 12, top, bottom };
}

function axes(svg, inside, layout, width, height) {
  const { x, y, left, right, top, bottom } = inside;
  for (const [value, text] of y.marks) {
    const at = px(y.at(value));
    svg.append(
      drawing("path", { class: "grid", d: `M${left} ${at}H${right}` }),
      drawing("text", { class: "ytick", x: left - 6, y: at + 4 }, text),
    );
  }
  for (const [value, text] of x.marks) {
    const at = px(x.at(value));
    svg.append(
      drawing("path", { class: "grid", d: `M${at} ${top}V${bottom}` }),
      drawing("text", { class: "xtick", x: at, y: bottom + 16 }, text),
    );
  }
  svg.append(drawing("path", { class: "axis", d: `M${left} ${top}V${bottom}H${right}` }));
  const title = { class: "xtitle", x: (left + right) / 2, y: height - 6 };
  svg.append(drawing("text", title, layout.xaxis.title?.text ?? ""));
  svg.append(drawing("text", { class: "ytitle", x: 0, y: 13 }, layout.yaxis.title?.text ?? ""));
}

function marked(svg, { x, left, right, top, bottom }, layout) {
  for (const one of layout.shapes ?? []) {
    const at = px(x.at(one.x0));
    svg.append(drawing("path", { class: "mark", d: `M${at} ${top}V${bottom}` }));
  }
  (layout.annotations ?? []).forEach((one, k) => {
    const half = one.text.length * 3;
    const at = Math.min(Math.max(x.at(one.x), left + half), right - half);
    svg.append(drawing("text", { class: "note", x: px(at), y: top - 18 + 14 * (k % 2) }, one.text));
  });
}

// The name of each trace; a click hides it and shows it again.

function legend(plot, figure, hidden) {
  const names = figure.data.filter((trace) => trace.name && trace.showlegend !== false);
  if (!figure.layout.showlegend || names.length > MOST_NAMED) return [];
  const made = document.createElement("div");
  made.className = "legend";
  figure.data.forEach((trace, k) => {
    if (!names.includes(trace)) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = `hue${hue(trace, k)}`;
    button.textContent = trace.name;
    button.setAttribute("aria-pressed", !hidden.has(k));
    button.addEventListener("click", () => {
      if (!hidden.delete(k)) hidden.add(k);
      draw([plot]);
    });
    made.append(button);
  });
  return [made];
}

// The mark nearest to the pointer shows its values; a lying bar is near all over.

const within = ({ left, right, y, half }, at) =>
  left <= at.offsetX && at.offsetX <= right && Math.abs(y - at.offsetY) <= half;

function hinted(svg, hints) {
  const hint = document.createElement("div");
  hint.className = "hint";
  hint.hidden = true;
  svg.addEventListener("pointermove", (event) => {
    const off = (one) => (within(one, event) ? 0 : Math.hypot(one.x - event.offsetX, one.y - event.offsetY));
    const near = hints.reduce((a, b) => (a && off(a) <= off(b) ? a : b), null);
    hint.hidden = !near || off(near) > 24;
    if (hint.hidden) return;
    hint.textContent = near.text();
    const wide = svg.clientWidth / 2;
    const side = near.x > wide ? "right" : "left";
    hint.style.cssText = `${side}: ${near.x > wide ? svg.clientWidth - near.x + 10 : near.x + 10}px; top: ${near.y + svg.offsetTop}px`;
  });
  svg.addEventListener("pointerleave", () => { hint.hidden = true; });
  return hint;
}

const KINDS = { scatter, bar: bars, box: boxes };
const hiddenOf = new WeakMap();

function draw(plots, wide = (plot) => plot.clientWidth) {
  for (const plot of plots) {
    const figure = figures[plot.dataset.figure];
    const [width, height] = [wide(plot), figure.layout.height ?? HEIGHT];
    if (!hiddenOf.has(plot)) hiddenOf.set(plot, new Set());
    const hidden = hiddenOf.get(plot);
    const shown = figure.data.map((trace, k) => ({ trace, k })).filter(({ k }) => !hidden.has(k));
    const traces = shown.map(({ trace }) => trace);
    const below = stacked(traces, figure.layout);
    const inside = frame(traces, below, figure, width, height);
    const svg = drawing("svg", { class: "picture", width, height, viewBox: `0 0 ${width} ${height}`, role: "img" });
    svg.setAttribute("aria-label", plot.nextElementSibling?.textContent ?? plot.dataset.figure);
    axes(svg, inside, figure.layout, width, height);
    const hints = [];
    shown.forEach(({ trace, k }, place) => {
      const made = KINDS[trace.type](trace, inside, hints, below[place]);
      made.classList.add(`hue${hue(trace, k)}`);
      svg.append(made);
    });
    marked(svg, inside, figure.layout);
    plot.replaceChildren(...legend(plot, figure, hidden), svg, hinted(svg, hints));
  }
}

const opened = () => [...document.querySelectorAll(".plot")].filter((one) => !one.closest("[hidden]"));
const drawn = () => opened().filter((plot) => plot.childElementCount);

const sight = new IntersectionObserver((entries) => {
  const plots = entries.filter((entry) => entry.isIntersecting).map((entry) => entry.target);
  for (const plot of plots) sight.unobserve(plot);
  draw(plots);
}, { rootMargin: "400px" });
for (const plot of opened()) sight.observe(plot);

let seen = innerWidth;
addEventListener("resize", () => {
  if (innerWidth !== seen) draw(drawn());
  seen = innerWidth;
});
addEventListener("beforeprint", () => draw(opened(), paper));
addEventListener("afterprint", () => draw(drawn()));
