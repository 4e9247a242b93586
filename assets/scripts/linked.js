// Links the drawing with all elements that have data-focus. A click highlights all elements of the tuple and notifies Python.

// Copy the children of an element: only text, known tags and known attributes.
const TAGS = /^(b|br|button|code|div|h4|header|i|p|section|small|span)$/i, ATTRIBUTES = ["class", "title", "type", "data-focus", "aria-live"];
const copyChildren = parent => [...parent.childNodes].flatMap(node => {
  if (node.nodeType === Node.TEXT_NODE) return [document.createTextNode(node.textContent)];
  if (node.nodeType !== Node.ELEMENT_NODE || !TAGS.test(node.tagName)) return [];
  const copy = document.createElement(node.tagName);
  for (const name of ATTRIBUTES) if (node.hasAttribute(name)) copy.setAttribute(name, node.getAttribute(name));
  copy.append(...copyChildren(node));
  return [copy];
});

// While the explanation floats over the page, the document has the first class, and also the second if it floats over the captions.
const SCROLL_OF_CLICK_MS = 800;
const SHEET = "sc-sheet", OVER_CAPTIONS = "sc-over-captions";

// Scroll so that an element is visible above the sheet.
const scrollAboveSheet = element => { element.style.scrollMarginBottom = "50vh"; element.scrollIntoView({ block: "nearest" }); };

class LinkedViews {
  constructor(parent) {
    this.graphs = new Graphs(parent.querySelector("main"), id => this.choose(this.data.owners[id] ?? "", { isFromGraph: true }), options => this.notifyPicture(options));
    this.graphs.root.graphs = this.graphs;  // tests read the positions of nodes here
    this.bar = new Bar(parent.querySelector("nav"), { show: (ids, revealed) => this.showPart(ids, revealed), restore: () => this.showPart(), onChoice: id => this.notifyPart(id) });
    this.style = document.head.appendChild(document.createElement("style"));
    this.abort = new AbortController();
    const listen = (event, act) => document.addEventListener(event, act, { signal: this.abort.signal });
    listen("click", ({ target }) => this.click(target));
    listen("mouseover", ({ target }) => this.preview(target.closest?.("[data-row]")?.dataset.row ?? ""));
    listen("keydown", ({ key }) => { if (key === "Escape") this.closeSheet(); });
    document.addEventListener("scroll", ({ target }) => this.closeWhenScrolled(target), { signal: this.abort.signal, capture: true });
  }

  draw(data) {
    this.data = data;
    this.bar.build(data);
    this.graphs.show(data);
    if (this.currentPart()) this.graphs.focus(this.currentPart().nodes, true);
    if (data.row !== this.row) this.hasSheet = Boolean(data.row);  // a link or the list opens the explanation of a tuple
    this.highlight(data.row);
    this.graphs.root.dataset.drawn = data.key;
    if (data.file && data.file.id !== this.fileId) element("a", { href: data.file.url, download: data.file.name }).click();
    this.fileId = data.file?.id ?? this.fileId;
  }

  click(target) {
    const sentence = target.closest?.("[data-part]"), link = target.closest?.("[data-focus]");
    if (sentence) this.toggleSentence(sentence.dataset.part);
    else if (link) {
      this.choose(link.dataset.focus, { line: link.closest(".sc-tuples tr") });
      if (this.hasSheet && link.dataset.focus) scrollAboveSheet(link);
    }
  }

  // Bring the explanation of the row into view: in the table under the clicked line, or in a sheet. After a click in the graph, the sheet floats over the captions, otherwise under the graph.
  choose(row, { isFromGraph = false, line = null } = {}) {
    document.documentElement.classList.toggle(OVER_CAPTIONS, isFromGraph);
    if (this.bar.part) { this.bar.part = ""; this.bar.showStatus(); this.notifyPart(""); }
    this.openedRow?.remove();
    this.chosenAt = performance.now();
    if (this.storedDetails()) document.querySelector(".sc-detail")?.replaceWith(...this.detailElements(row));
    this.hasSheet = Boolean(row) && !(line && this.openBelow(row, line));
    this.highlight(row);
    if (this.hasSheet) document.querySelector(".sc-detail")?.setAttribute("tabindex", "0");  // it scrolls by keyboard
    this.graphs.focus(this.data.rows[row] ?? []);
    this.notifyRow(row);
  }

  closeSheet() {
    if (!this.hasSheet) return;
    this.hasSheet = false;
    this.highlight(this.row ?? "");
  }

  // A visitor who scrolls the page is done with the sheet; the click that opened it may scroll too.
  closeWhenScrolled(target) {
    if (performance.now() - (this.chosenAt ?? 0) > SCROLL_OF_CLICK_MS && target.contains(this.graphs.root.getRootNode().host ?? this.graphs.root)) this.closeSheet();
  }

  // Show the part of a sentence or search result, or restore the focus.
  showPart(ids, revealed = []) {
    this.graphs.focus(ids ?? this.data.rows[this.row] ?? this.data.focus, Boolean(ids));
    if (revealed.length) this.graphs.reveal(revealed);
    this.highlight(this.row ?? "");
  }

  // A click on the count of a sentence shows its part; a second click shows the full graph.
  toggleSentence(id) {
    this.bar.choose(this.bar.part === id ? "" : id);
    const { top } = this.graphs.root.getBoundingClientRect(), isVisible = top > 60 && top < innerHeight - 360;
    if (this.bar.part) this.bar.root.scrollIntoView({ block: isVisible ? "nearest" : "start" });
  }

  // Highlight the part of the sentence under the pointer, until the pointer leaves.
  preview(id) {
    if (id === (this.previewed ?? "")) return;
    this.previewed = id;
    const part = this.currentPart();
    this.graphs.focus(part?.nodes ?? this.data?.rows[this.row] ?? this.data?.focus ?? [], Boolean(part));
  }

  // Return the sentence under the pointer, or else the chosen one.
  currentPart() { return this.data?.parts.find(part => part.id === this.previewed) ?? this.bar.chosenPart(); }

  // Outline the row boldly and the objects of its tuple finely.
  highlight(row) {
    this.row = row;
    const rule = (id, line) => `[data-focus="${CSS.escape(id)}"] { outline: ${line} var(--sc-accent); outline-offset: 2px; border-radius: 4px; }`;
    document.documentElement.classList.toggle(SHEET, Boolean(row && this.hasSheet));
    this.style.textContent = row ? [...(this.data.near[row] ?? []).map(id => rule(id, "1.5px dashed")), rule(row, "2.5px solid")].join("\n") : "";
    if (this.bar.part) this.style.textContent += `\n[data-row="${CSS.escape(this.bar.part)}"] { background: color-mix(in srgb, var(--sc-accent) 14%, transparent); }`;
  }

  // Show the explanation of a row under its line of the table; return whether it was possible.
  openBelow(row, line) {
    if (!this.storedDetails()) return false;
    const cell = document.createElement("td");
    this.openedRow = document.createElement("tr");
    cell.colSpan = line.cells.length;
    cell.className = "sc-match-cell";
    cell.append(...this.detailElements(row, "sc-here"));
    this.openedRow.append(cell);
    line.after(this.openedRow);
    this.openedRow.scrollIntoView({ block: "nearest" });
    return true;
  }

  // Return the explanation of a row, with another class if a `name` is given.
  detailElements(row, name) {
    const elements = copyChildren(new DOMParser().parseFromString(this.storedDetails().details[row], "text/html").body);
    if (name) for (const element of elements) element.classList?.replace("sc-detail", name);
    return elements;
  }

  // The explanations of this result. They arrive after the drawing; until then the server answers.
  storedDetails() {
    const stored = globalThis.spiceDetails?.[this.data.details];
    return stored?.result === this.data.result ? stored : null;
  }

  close() {
    document.documentElement.classList.remove(SHEET, OVER_CAPTIONS);
    this.openedRow?.remove();
    this.graphs.destroy();
    this.style.remove();
    this.abort.abort();
  }
}

const viewsByParent = new WeakMap();

export default function ({ parentElement, data, setTriggerValue }) {
  const views = viewsByParent.get(parentElement) ?? new LinkedViews(parentElement);
  viewsByParent.set(parentElement, views);
  views.notifyRow = row => setTriggerValue("row", row || "none");
  views.notifyPart = id => setTriggerValue("part", id || "none");
  views.notifyPicture = options => setTriggerValue("picture", options);
  views.draw(data);
  return () => { views.close(); viewsByParent.delete(parentElement); };
}
