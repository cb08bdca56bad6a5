"use strict";
// The flame graph: each node of the tree as a bar below its caller.
(() => {
  const figures = JSON.parse(document.getElementById("figures").textContent);
  const place = document.getElementById("flame");
  const told = document.getElementById("told");
  const LEAST = 0.0015, ROW_REM = 1.4;
  if (!figures.tree) {
    place.textContent = "Only the exact board ran: it has no tree.";
    return;
  }
  const total = figures.tree.cycles;
  const share = (cycles) => `${(100 * cycles / total).toFixed(1)} %`;
  const words = (node) => `${node.name}${node.call && /^\w+$/.test(node.name) ? "()" : ""}: ${Math.round(node.cycles).toLocaleString("en")} cycles, `
    + `${share(node.cycles)}${node.call ? "" : `, own ${Math.round(node.own).toLocaleString("en")}`}`;
  const parents = new Map();
  const link = (node) => (node.below || []).forEach((one) => { parents.set(one, node); link(one); });
  link(figures.tree);
  const bar = (node, left, width, depth, kind) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = width > 0.02 ? node.name : "";
    made.title = words(node);
    made.setAttribute("role", "treeitem");
    made.setAttribute("aria-label", words(node));
    if (node.call) made.classList.add("call");
    if (kind) made.classList.add(kind);
    made.style.left = `${100 * left}%`;
    made.style.width = `${100 * width}%`;
    made.style.top = `${depth * ROW_REM}rem`;
    made.addEventListener("click", () => draw(node));
    place.append(made);
  };
  const draw = (focus) => {
    place.replaceChildren();
    const chain = [];
    for (let at = parents.get(focus); at; at = parents.get(at)) chain.unshift(at);
    chain.forEach((node, depth) => bar(node, 0, 1, depth, "above"));
    let deepest = chain.length;
    const below = (node, left, depth) => {
      const width = node.cycles / focus.cycles;
      if (width < LEAST) return;
      deepest = Math.max(deepest, depth);
      bar(node, left, width, depth);
      let at = left;
      for (const one of node.below || []) {
        below(one, at, depth + 1);
        at += one.cycles / focus.cycles;
      }
    };
    below(focus, 0, chain.length);
    place.style.height = `${(deepest + 1) * ROW_REM}rem`;
    told.textContent = words(focus);
  };
  document.getElementById("whole").addEventListener("click", () => draw(figures.tree));
  draw(figures.tree);
})();
