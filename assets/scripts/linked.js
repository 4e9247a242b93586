// Links the drawing with all elements that have data-focus. A click highlights all elements of the tuple and notifies Python.
const places = new WeakMap();

// Copy the children of an element: only text, known tags and known attributes.
const TAGS = /^(b|br|button|code|div|h4|header|i|p|section|small|span)$/i, ATTRIBUTES = ["class", "title", "type", "data-focus", "aria-live"];
const plain = parent => [...parent.childNodes].flatMap(node => {
  if (node.nodeType === Node.TEXT_NODE) return [document.createTextNode(node.textContent)];
  if (node.nodeType !== Node.ELEMENT_NODE || !TAGS.test(node.tagName)) return [];
  const copy = document.createElement(node.tagName);
  for (const name of ATTRIBUTES) if (node.hasAttribute(name)) copy.setAttribute(name, node.getAttribute(name));
  copy.append(...plain(node));
  return [copy];
});

// Place the sheet at the bottom of the screen, beside the sidebar if it is open.
const sheet = () => `.sc-detail:not(.sc-hint) { position: fixed; left: max(${8 + (document.querySelector(".stMain")?.getBoundingClientRect().left ?? 0)}px, 50vw - 600px); right: max(8px, 50vw - 600px); bottom: 8px; z-index: 60; max-height: 45vh; overflow-y: auto; border-width: 2px; }`;

// Keep the clicked element in view above the sheet.
const uncovered = element => { element.style.scrollMarginBottom = "50vh"; element.scrollIntoView({ block: "nearest" }); };

class Place {
  constructor(parent) {
    this.graphs = new Graphs(parent.querySelector("main"), id => this.choose(this.data.owners[id] ?? "", true));
    this.graphs.root.graphs = this.graphs;  // tests read the positions of nodes here
    this.bar = new Bar(parent.querySelector("nav"), { show: (ids, seen) => this.part(ids, seen), quiet: () => this.part(), chose: id => this.step(id) });
    this.lit = document.head.appendChild(document.createElement("style"));
    this.clicked = ({ target }) => { if (target.closest?.("[data-part]")) { this.sentence(target.closest("[data-part]").dataset.part); return; } const here = target.closest?.("[data-focus]"); if (here) { this.choose(here.dataset.focus, false, here.closest(".sc-tuples tr")); if (this.away && here.dataset.focus) uncovered(here); } };
    document.addEventListener("click", this.clicked);
    this.pointed = ({ target }) => this.preview(target.closest?.("[data-row]")?.dataset.row ?? "");
    document.addEventListener("mouseover", this.pointed);
    this.escaped = ({ key }) => { if (key === "Escape" && this.away) { this.away = false; this.light(this.row ?? ""); } };
    document.addEventListener("keydown", this.escaped);
    this.scrolled = () => { if (this.away && this.near()) { this.away = false; this.light(this.row ?? ""); } };
    document.addEventListener("scroll", this.scrolled, true);
  }

  draw(data) {
    this.data = data;
    this.bar.build(data);
    this.graphs.show(data);
    if (this.sought()) this.graphs.focus(this.sought().nodes, true);
    this.light(data.row);
    this.graphs.root.dataset.drawn = data.key;
  }

  // Bring the explanation of the row into view: below the graph, in the table under the clicked line, or as a sheet at the bottom of the screen.
  choose(row, drawn = false, line = null) {
    if (this.bar.part) { this.bar.part = ""; this.bar.say(); this.step(""); }
    this.opened?.remove();
    this.explain(row);
    this.away = !drawn && Boolean(row) && !this.near() && !(line && this.open(row, line));
    this.light(row);
    if (this.away) document.querySelector(".sc-detail")?.setAttribute("tabindex", "0");  // it scrolls by keyboard
    if (drawn && row) document.querySelector(".sc-detail")?.scrollIntoView({ block: "nearest" });
    this.graphs.focus(this.data.rows[row] ?? []);
    this.tell(row);
  }

  // Show the part of a sentence or search result, or restore the focus.
  part(ids, seen = []) {
    this.graphs.focus(ids ?? this.data.rows[this.row] ?? this.data.focus, Boolean(ids));
    if (seen.length) this.graphs.reveal(seen);
    this.light(this.row ?? "");
  }

  // A click on the count of a sentence shows its part; a second click shows the full graph.
  sentence(id) {
    this.bar.choose(this.bar.part === id ? "" : id);
    if (this.bar.part) this.bar.root.scrollIntoView({ block: this.shown() ? "nearest" : "start" });
  }

  // Return whether a sufficient part of the drawing is on the screen.
  shown() {
    const { top } = this.graphs.root.getBoundingClientRect();
    return top > 60 && top < innerHeight - 360;
  }

  // Highlight the part of the sentence under the pointer, until the pointer leaves.
  preview(id) {
    if (id === (this.seen ?? "")) return;
    this.seen = id;
    const part = this.sought();
    this.graphs.focus(part?.nodes ?? this.data?.rows[this.row] ?? this.data?.focus ?? [], Boolean(part));
  }

  // The sentence under the pointer, or else the chosen one.
  sought() { return this.data?.parts.find(each => each.id === this.seen) ?? this.bar.chosen(); }

  // Return whether the container of the explanation is on the screen.
  near() {
    const place = document.querySelector(".sc-detail")?.parentElement.getBoundingClientRect();
    return !place || (place.top < innerHeight - 120 && place.bottom > 120);
  }

  // Outline the row boldly and the objects of its tuple finely.
  light(row) {
    this.row = row;
    const rule = (id, line) => `[data-focus="${CSS.escape(id)}"] { outline: ${line} var(--sc-accent); outline-offset: 2px; border-radius: 4px; }`;
    this.lit.textContent = row ? [...(this.data.near[row] ?? []).map(id => rule(id, "1.5px dashed")), rule(row, "2.5px solid"), this.away ? sheet() : ""].join("\n") : "";
    if (this.bar.part) this.lit.textContent += `\n[data-row="${CSS.escape(this.bar.part)}"] { background: color-mix(in srgb, var(--sc-accent) 14%, transparent); }`;
  }

  explain(row) {
    if (this.known()) document.querySelector(".sc-detail")?.replaceWith(...this.parsed(row));
  }

  // Show the explanation of a row under its line of the table; return whether it was possible.
  open(row, line) {
    const known = this.known();
    if (!known) return false;
    const cell = document.createElement("td"), made = document.createElement("tr");
    cell.colSpan = line.cells.length;
    cell.className = "sc-match-cell";
    cell.append(...this.parsed(row, "sc-here"));
    made.append(cell);
    line.after(made);
    this.opened = made;
    made.scrollIntoView({ block: "nearest" });
    return true;
  }

  // Return the explanation of a row, as elements.
  parsed(row, name) {
    const found = plain(new DOMParser().parseFromString(this.known().details[row], "text/html").body);
    if (name) for (const each of found) each.classList?.replace("sc-detail", name);
    return found;
  }

  // The explanations of this result. They arrive after the drawing; until then the server answers.
  known() {
    const known = globalThis.spiceDetails?.[this.data.details];
    return known?.result === this.data.result ? known : null;
  }

  close() {
    this.opened?.remove();
    this.graphs.destroy();
    this.lit.remove();
    document.removeEventListener("click", this.clicked);
    document.removeEventListener("mouseover", this.pointed);
    document.removeEventListener("keydown", this.escaped);
    document.removeEventListener("scroll", this.scrolled, true);
  }
}

export default function ({ parentElement, data, setTriggerValue }) {
  const place = places.get(parentElement) ?? new Place(parentElement);
  places.set(parentElement, place);
  place.tell = row => setTriggerValue("row", row || "none");
  place.step = id => setTriggerValue("part", id || "none");
  place.draw(data);
  return () => { place.close(); places.delete(parentElement); };
}
