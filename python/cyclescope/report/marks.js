// Marks of pictures: what each kind of trace covers, and how it is drawn as SVG.
const SVG = "http://www.w3.org/2000/svg";

function drawing(name, attributes = {}, text = "") {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
}

const px = (value) => Math.round(value * 10) / 10;
const xs = (trace) => trace.x ?? trace.y.map((_, k) => (trace.x0 ?? 0) + k * (trace.dx ?? 1));
const isFlat = (trace) => trace.orientation === "h";

// A point's values, and what the reader sees who points at it.
function told(trace, x, y, more) {
  const text = [trace.name, more, `${typeof x === "string" ? x : label(x)}, ${label(y)}`];
  return text.filter(Boolean).join(": ");
}

// The range of a trace on both axes. Marks at the edge cover nothing.

function covered(trace, below) {
  if (trace.edge) return { x: xs(trace), y: [] };
  if (trace.type === "box") return { x: trace.x, y: [] };
  if (trace.type === "bar" && isFlat(trace)) {
    return { x: trace.x.flatMap((length, k) => [trace.base[k], trace.base[k] + length]), y: [] };
  }
  if (trace.type === "bar") {
    const half = (trace.width ?? 0.8) / 2;
    const tops = trace.y.map((value, k) => value + (below?.[k] ?? 0));
    return { x: trace.x.flatMap((at) => [at - half, at + half]), y: [0, ...tops] };
  }
  const widths = trace.error_y?.array;
  const y = widths ? trace.y.flatMap((at, k) => [at - widths[k], at + widths[k]]) : trace.y;
  return { x: xs(trace), y };
}

// Scatter: areas, lines, intervals, points. All points of a trace are one path.

const SYMBOLS = {
  circle: (x, y) => `M${x} ${y}h0`,
  x: (x, y, r) => `M${x - r} ${y - r}l${2 * r} ${2 * r}m0 ${-2 * r}l${-2 * r} ${2 * r}`,
  diamond: (x, y, r) => `M${x} ${y - r}l${r} ${r}l${-r} ${r}l${-r} ${-r}z`,
  tick: (x, y, r) => `M${x} ${y - r}v${2 * r}`,
  up: (x, y, r) => `M${x} ${y}l${r} ${1.6 * r}h${-2 * r}z`,
  down: (x, y, r) => `M${x} ${y}l${r} ${-1.6 * r}h${-2 * r}z`,
};

function lined(points, shape) {
  let path = "";
  let pen = null;
  for (const [x, y] of points) {
    if (y === null) {
      pen = null;
      continue;
    }
    if (pen === null) path += `M${x} ${y}`;
    else if (shape === "hv") path += `H${x}V${y}`;
    else if (shape === "vh") path += `V${y}H${x}`;
    else path += `L${x} ${y}`;
    pen = y;
  }
  return path;
}

function scatter(trace, scales, hints) {
  const group = drawing("g", { class: "scatter" });
  // A logarithmic axis has no place for zero.
  const place = (value, scale) => {
    const at = value === null ? NaN : scale.at(value);
    return Number.isFinite(at) ? px(at) : null;
  };
  const points = xs(trace).map((x, k) => [place(x, scales.x), place(trace.y[k], scales.y)]);
  if (trace.fill) {
    group.append(drawing("path", { class: "area", d: `${lined(points)}z` }));
    return group;
  }
  if (trace.mode.includes("lines")) {
    group.append(drawing("path", { class: "line", d: lined(points, trace.line?.shape) }));
  }
  trace.error_y?.array.forEach((half, k) => {
    if (!half) return;
    const [low, high] = [-half, half].map((off) => px(scales.y.at(trace.y[k] + off)));
    const [x] = points[k];
    group.append(drawing("path", { class: "error", d: `M${x - 3} ${high}h6m-3 0V${low}m-3 0h6` }));
  });
  if (trace.mode.includes("markers")) markers(group, trace, points, scales, hints);
  return group;
}

function markers(group, trace, points, scales, hints) {
  const { size = 5, symbol = "circle", opacity = 1 } = trace.marker ?? {};
  const [bottom, top] = [scales.y.at(scales.y.low), scales.y.at(scales.y.high)];
  const paths = {};
  const values = xs(trace);
  points.forEach(([x, y], k) => {
    if (y === null || x === null) return;
    const kind = !trace.edge ? symbol : y < top ? "up" : y > bottom ? "down" : "x";
    const seen = trace.edge ? Math.min(Math.max(y, top), bottom) : y;
    paths[kind] = (paths[kind] ?? "") + SYMBOLS[kind](x, px(seen), size / 2);
    hints.push({ x, y: seen, text: () => told(trace, values[k], trace.y[k], trace.text?.[k]) });
  });
  for (const [kind, d] of Object.entries(paths)) {
    const width = kind === "circle" ? size : 1.5;
    group.append(drawing("path", { class: `points ${kind}`, d, "stroke-width": width, opacity }));
  }
}

// Bars: upright on zero or on those below; lying between two values on a track.

function bars(trace, scales, hints, below) {
  const group = drawing("g", { class: "bars" });
  if (isFlat(trace)) {
    trace.x.forEach((length, k) => {
      const [x, end] = [trace.base[k], trace.base[k] + length].map(scales.x.at);
      const [middle, high] = [scales.y.at(trace.y[k]), scales.y.band * (trace.width ?? 0.7)];
      // A bar too short to see is one pixel long.
      const box = { x: px(x), y: px(middle - high / 2), width: px(Math.max(end - x, 1)), height: px(high) };
      group.append(drawing("rect", box));
      const said = trace.text?.[k] ?? `${trace.name}, ${trace.y[k]}: ${label(trace.base[k])} + ${label(length)}`;
      hints.push({ x: (x + end) / 2, y: middle, left: x, right: end, half: high / 2, text: () => said });
      const inside = trace.labels?.[k];
      if (inside && end - x > inside.length * 6.2 + 6) {
        group.append(drawing("text", { class: "inside", x: px(x + 4), y: px(middle + 4) }, inside));
      }
    });
    return group;
  }
  const half = (trace.width ?? 0.8) / 2;
  trace.y.forEach((count, k) => {
    const base = below?.[k] ?? 0;
    const [x, end] = [trace.x[k] - half, trace.x[k] + half].map(scales.x.at);
    const floor = scales.y.at(Math.max(base, scales.y.low));
    const top = count ? scales.y.at(base + count) : floor;
    const box = { x: px(x), y: px(Math.min(top, floor)), width: px((end - x) * 0.98), height: px(Math.abs(floor - top)) };
    group.append(drawing("rect", box));
    if (count) hints.push({ x: (x + end) / 2, y: top, text: () => told(trace, trace.x[k], count) });
  });
  return group;
}

// Boxes: quartiles, median, the extremes, and every point beside each other.

function quantile(sorted, share) {
  const at = (sorted.length - 1) * share;
  const [low, high] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return low + (high - low) * (at % 1);
}

function boxes(trace, scales, hints) {
  const group = drawing("g", { class: "box" });
  const middle = scales.y.at(trace.name);
  const half = scales.y.band * 0.25;
  const sorted = [...trace.x].sort((a, b) => a - b);
  const cuts = [0, 0.25, 0.5, 0.75, 1].map((share) => px(scales.x.at(quantile(sorted, share))));
  const [low, first, median, third, high] = cuts;
  const box = { x: first, y: px(middle - half), width: px(third - first), height: px(2 * half) };
  const whiskers = `M${low} ${middle}H${first}M${third} ${middle}H${high}`;
  const bar = `M${median} ${middle - half}v${2 * half}`;
  group.append(drawing("path", { class: "line", d: whiskers + bar }), drawing("rect", box));
  const points = trace.x.map((value, k) => {
    // A golden share separates neighbours, and is the same on every visit.
    const off = (((k * 0.618) % 1) - 0.5) * 2 * half;
    const point = [px(scales.x.at(value)), px(middle + off)];
    hints.push({ x: point[0], y: point[1], text: () => told(trace, trace.text[k], value) });
    return SYMBOLS.circle(...point);
  });
  group.append(drawing("path", { class: "points circle", d: points.join(""), "stroke-width": 4, opacity: 0.6 }));
  return group;
}
