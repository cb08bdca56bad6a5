// What every page of pictures shares: their data, colours by the reader's preference, drawing.
"use strict";

const read = (id) => JSON.parse(document.getElementById(id).textContent);
const figures = read("figures");
const dark = matchMedia("(prefers-color-scheme: dark)");
const palettes = {
  light: ["#0b66a8", "#c4541a", "#2a8a4a", "#8a3fa0", "#b08a00", "#a0224e", "#3f7f8a", "#6a6f73"],
  dark: ["#6cb6f0", "#f0935c", "#6cd08c", "#d08be6", "#e6c75c", "#f07aa0", "#7fc8d4", "#aab2b8"],
};

// Two plots beside each other on a page of A4 or Letter, or a wide one.
const paper = (plot) => ({
  width: plot.matches(".plots > :not(.samples, .timeline) > .plot") ? 340 : 680,
  height: figures[plot.dataset.figure].layout.height ?? 240,
});

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

function themed(layout, palette) {
  const grid = { gridcolor: colour("grid"), zerolinecolor: colour("grid") };
  const axis = { ...grid, automargin: true, separatethousands: true };
  return {
    ...layout,
    xaxis: { ...axis, ...layout.xaxis },
    yaxis: { ...axis, ...layout.yaxis },
    shapes: layout.shapes?.map((one) => ({ ...one, line: { color: colour("muted"), ...one.line } })),
    colorway: palettes[palette],
    font: { color: colour("text"), family: "DejaVu Sans, sans-serif", size: 12 },
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    margin: { l: 55, r: 10, t: 24, b: 45 },
    legend: { font: { size: 10 }, itemsizing: "constant", ...layout.legend },
  };
}

// A cluster has one colour in every picture; what is in none (0) is grey.
function coloured(trace, palette) {
  if (trace.cluster === undefined) return trace;
  const color = palettes[palette].at((trace.cluster || 8) - 1);
  return { ...trace, line: { ...trace.line, color }, marker: { ...trace.marker, color } };
}

function draw(plots, palette, sized = () => ({})) {
  for (const plot of plots) {
    const figure = figures[plot.dataset.figure];
    const options = { responsive: true, displaylogo: false, displayModeBar: false };
    const data = figure.data.map((trace) => coloured(trace, palette));
    Plotly.react(plot, data, { ...themed(figure.layout, palette), ...sized(plot) }, options);
  }
}

const scheme = () => (dark.matches ? "dark" : "light");
const opened = () => [...document.querySelectorAll(".plot")].filter((one) => !one.closest("[hidden]"));
const drawn = () => opened().filter((plot) => plot.childElementCount);

const sight = new IntersectionObserver((entries) => {
  const plots = entries.filter((entry) => entry.isIntersecting).map((entry) => entry.target);
  for (const plot of plots) sight.unobserve(plot);
  draw(plots, scheme());
}, { rootMargin: "400px" });
for (const plot of opened()) sight.observe(plot);

dark.addEventListener("change", () => draw(drawn(), scheme()));
addEventListener("beforeprint", () => draw(opened(), "light", paper));
addEventListener("afterprint", () => draw(drawn(), scheme()));
