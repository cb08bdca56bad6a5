// The pages of configurations: a picture is as high as it has lines.

for (const plot of document.querySelectorAll(".plot")) {
  plot.style.height = `${figures[plot.dataset.figure].layout.height}px`;
}
