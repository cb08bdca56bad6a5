// The table sorts, filters and opens; what has opened is drawn when it comes into sight.

const explanations = read("explanations");
const listings = read("listings");
const table = document.getElementById("cases");
const cases = [...table.tBodies];

// Cases. Each is a table body of two rows: its figures, and what opens below them.

const toggleOf = (one) => one.querySelector("th button");
const isOpen = (one) => !one.rows[1].hidden;

function setOpen(one, open) {
  one.rows[1].hidden = !open;
  toggleOf(one).setAttribute("aria-expanded", open);
  if (!open) return;
  for (const plot of one.querySelectorAll(".plot:empty")) sight.observe(plot);
  for (const place of one.querySelectorAll(".explanation:empty")) {
    explain(place, explanations[place.dataset.case]);
  }
}

for (const one of cases) {
  one.rows[0].addEventListener("click", () => {
    if (!getSelection().toString()) setOpen(one, !isOpen(one));
  });
}

// Filter, and opening many.

const filter = document.getElementById("filter");

function narrow() {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const one of cases) {
    const text = one.rows[0].cells[0].innerText.toLowerCase();
    one.hidden = !words.every((word) => text.includes(word));
  }
  const shown = cases.filter((one) => !one.hidden).length;
  document.getElementById("count").textContent = `${shown} of ${cases.length} cases`;
}

filter.addEventListener("input", narrow);
narrow();

for (const [id, open] of [["open", true], ["close", false]]) {
  document.getElementById(id).addEventListener("click", () => {
    for (const one of cases) if (!one.hidden) setOpen(one, open);
  });
}

// Sorting: the unknown comes last, whichever way.

const headings = [...table.tHead.rows[0].cells];

function key(one, column) {
  const cell = one.rows[0].cells[column];
  if (column === 0) return toggleOf(one).textContent;
  return cell.dataset.key === "" ? null : Number(cell.dataset.key);
}

function compare(a, b, way) {
  if (a === null || b === null) return (a === null) - (b === null);
  return way * (typeof a === "string" ? a.localeCompare(b) : a - b);
}

headings.forEach((heading, column) => {
  heading.firstElementChild.addEventListener("click", () => {
    const falls = heading.getAttribute("aria-sort") === "ascending";
    for (const other of headings) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", falls ? "descending" : "ascending");
    const sorted = [...cases].sort((a, b) =>
      compare(key(a, column), key(b, column), falls ? -1 : 1));
    table.append(...sorted);
  });
});

// Where the cycles go: functions, and the instructions of each.

function element(name, content = "", attributes = {}) {
  const made = document.createElement(name);
  made.append(...[content].flat());
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  return made;
}

function grid(head, lines, style) {
  const cells = (line, name) => line.map((one) => element(name, one));
  const body = lines.map((line) => element("tr", cells(line.cells, "td"), line.attributes));
  const top = element("thead", element("tr", cells(head, "th")));
  return element("table", [top, element("tbody", body)], { class: style });
}

const count = (number) => (number ? number.toLocaleString("en-US") : "");

function share(spent, total) {
  const parts = spent.slice(1).map((cycles, kind) =>
    element("span", "", { class: `hue${kind}`, style: `width: ${(100 * cycles) / total}%` }));
  return element("div", parts, { class: "share" });
}

function explain(place, one) {
  const at = one.x === null ? "" : ` at x = ${one.x}`;
  const total = one.spent[0];
  const unit = one.nj.length ? ["nJ"] : [];
  const rows = one.functions.map((f) => ({
    cells: [f.name, count(f.entries), ...f.spent.map(count), ...f.nj, share(f.spent, total)],
  }));
  rows.push({ cells: ["all", "", ...one.spent.map(count), ...one.nj, ""], attributes: { class: "total" } });
  const kinds = one.kinds.map((name, kind) =>
    element("span", [element("i", "", { class: `hue${kind}` }), name]));
  place.append(
    element("h4", `Where the cycles go${at}`),
    element("p", one.sentence),
    element("p", kinds, { class: "kinds" }),
    grid(["function", "entered", "cycles", ...one.kinds, ...unit, "share"], rows, "small"),
    element("h4", "Instructions and their cycles"),
    ...one.functions.map((f) => listing(f, [...one.kinds, ...unit])),
  );
}

function listing(f, kinds) {
  const summary = element("summary", `${f.name}: ${count(f.spent[0])} cycles`);
  const details = element("details", summary);
  details.addEventListener("toggle", () => {
    if (details.childElementCount > 1) return;
    const nothing = kinds.map(() => 0).concat(0, 0);
    const executed = new Map(f.code.map(([line, ...figures]) => [line, figures]));
    const rows = listings[f.at].map((instruction, line) => ({
      cells: [...instruction, ...(executed.get(line) ?? nothing).map(count)],
      attributes: executed.has(line) ? {} : { class: "idle" },
    }));
    details.append(grid(["address", "instruction", "times", "cycles", ...kinds], rows, "small code"));
  });
  return details;
}

// A link to a case opens it; so does a page of one.

function openAsked() {
  const asked = cases.find((one) => `#${one.id}` === decodeURIComponent(location.hash));
  if (asked) setOpen(asked, true);
}

addEventListener("hashchange", openAsked);
openAsked();
if (cases.length === 1) setOpen(cases[0], true);
