// Draws the report's figures in the page's colours, again when those change.
"use strict";

const figures = JSON.parse(document.getElementById("figures").textContent);
const plots = [...document.querySelectorAll(".plot")];
const dark = matchMedia("(prefers-color-scheme: dark)");
const palettes = {
  light: ["#0b66a8", "#c4541a", "#2a8a4a", "#8a3fa0", "#b08a00", "#a0224e", "#3f7f8a", "#6a6f73"],
  dark: ["#6cb6f0", "#f0935c", "#6cd08c", "#d08be6", "#e6c75c", "#f07aa0", "#7fc8d4", "#aab2b8"],
};

// Two plots beside each other on a page of A4 or Letter.
const paper = { width: 340, height: 240 };

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
    colorway: palettes[palette],
    font: { color: colour("text"), family: "DejaVu Sans, sans-serif", size: 12 },
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    margin: { l: 55, r: 10, t: 24, b: 45 },
    legend: { font: { size: 10 }, itemsizing: "constant" },
  };
}

function draw(palette, size = {}) {
  for (const plot of plots) {
    const figure = figures[plot.dataset.figure];
    const options = { responsive: true, displaylogo: false, displayModeBar: false };
    Plotly.react(plot, figure.data, { ...themed(figure.layout, palette), ...size }, options);
  }
}

function drawScreen() {
  draw(dark.matches ? "dark" : "light");
}

dark.addEventListener("change", drawScreen);
addEventListener("beforeprint", () => draw("light", paper));
addEventListener("afterprint", drawScreen);
drawScreen();
