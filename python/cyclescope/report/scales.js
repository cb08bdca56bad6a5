// Scales of pictures: which values an axis shows, where they lie, how its marks read.
"use strict";

const label = (value) => {
  const size = Math.abs(value);
  if (size && (size < 1e-3 || size >= 1e9)) return value.toExponential().replace("e+", "e");
  return value.toLocaleString("en-US", { maximumFractionDigits: 4 });
};

// Each scale has `at(value)` in pixels, `marks` with their texts, `low` and `high`.
// `pixels` are the ends of the axis; `gap` is the least distance of two marks.

function linearScale([low, high], pixels, gap) {
  const [from, to] = pixels;
  const at = (value) => from + ((value - low) / (high - low)) * (to - from);
  const most = Math.max(Math.floor(Math.abs(to - from) / gap), 1);
  const rough = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough * 0.999);
  const first = Math.ceil(low / step - 1e-6);
  const count = Math.floor(high / step + 1e-6) - first + 1;
  // A step of 0.1 has no exact multiples; the marks are rounded to its digits.
  const marks = Array.from({ length: count }, (_, k) => Number(((first + k) * step).toPrecision(12)));
  return { low, high, at, marks: marks.map((value) => [value, label(value)]) };
}

function logScale([low, high], pixels, gap) {
  const [from, to] = pixels;
  const [start, end] = [Math.log10(low), Math.log10(high)];
  const at = (value) => from + ((Math.log10(value) - start) / (end - start)) * (to - from);
  const powers = [];
  for (let power = Math.floor(start); power <= end; power += 1) powers.push(power);
  // Powers of ten first; their fivefold and double where there is a place between them.
  const kept = [];
  for (const factor of [1, 5, 2]) {
    for (const value of powers.map((power) => factor * 10 ** power)) {
      if (value < low * 0.9999 || value > high * 1.0001) continue;
      if (kept.every((other) => Math.abs(at(other) - at(value)) >= gap / 2)) kept.push(value);
    }
  }
  // Within one decade there may be no such number: then as on a linear axis.
  if (kept.length < 2) return { ...linearScale([low, high], pixels, gap), at };
  return { low, high, at, marks: kept.sort((a, b) => a - b).map((value) => [value, label(value)]) };
}

function categoryScale(names, pixels) {
  const [from, to] = pixels;
  const band = (to - from) / names.length;
  const at = (name) => from + (names.indexOf(name) + 0.5) * band;
  return { at, band: Math.abs(band), marks: names.map((name) => [name, name]) };
}

// The ends of an axis around its values. A bar stands on zero; points keep off the frame.

function ends(values, axis, bars) {
  if (axis.range) return axis.range;
  const log = axis.type === "log";
  const known = values.filter((value) => value !== null && Number.isFinite(value) && !(log && value <= 0));
  if (!known.length) return log ? [1, 10] : [0, 1];
  let low = known.reduce((a, b) => Math.min(a, b));
  let high = known.reduce((a, b) => Math.max(a, b));
  if (log) {
    const margin = Math.max((high / low) ** 0.06, 1.1);
    return [low / margin, high * margin];
  }
  if (axis.rangemode === "tozero") [low, high] = [Math.min(low, 0), Math.max(high, 0)];
  const pad = high > low ? (high - low) * 0.05 : Math.abs(low) * 0.05 || 1;
  const keeps = (value) => value === 0 && (bars || axis.rangemode === "tozero");
  return [keeps(low) ? low : low - pad, keeps(high) ? high : high + pad];
}
