// Typed captions survive a reload and a return to the page: the tab stores them, and a field reports them when it loses focus.
// A click on the marked words of a caption opens its field at that word. The result is dimmed while the fields differ from the scored captions.
const STALE = "sc-stale";

const known = new Map();  // maps each name to the scored captions that this page last saw

class Fields {
  constructor(key) {
    this.key = key;
    this.clicked = ({ target, clientX: x, clientY: y }) => {
      const marked = target.closest?.(".sc-marked");
      if (marked && !target.closest("mark, button")) this.open(marked, this.place(marked, x, y));
    };
    this.doubled = ({ target }) => { const marked = target.closest?.(".sc-marked"); if (marked) this.open(marked); };
    this.written = ({ target }) => { if (this.all().includes(target)) { this.compare(); this.keep(); } };
    this.entered = ({ target }) => { if (this.all().includes(target)) this.row(target)?.toggleAttribute("data-open", true); };
    document.addEventListener("focusin", this.entered);
    this.left = ({ target, relatedTarget: to }) => { if (this.all().includes(target)) this.row(target)?.toggleAttribute("data-open", false); if (this.all().includes(target) && this.stale && !to?.closest("form, [data-testid=stForm]")) this.tell({ captions: this.values(), fill: false }); };
    document.addEventListener("focusout", this.left);
    document.addEventListener("click", this.clicked);
    document.addEventListener("dblclick", this.doubled);
    document.addEventListener("input", this.written);
  }

  all() {
    const name = `st-key-${CSS.escape(this.key)}-`;
    return [...document.querySelectorAll(`.${name}candidate textarea, [class*="${name}reference-"] textarea`)];
  }

  values() { return this.all().map(field => field.value); }

  // Store the typed captions, or remove them if they equal the scored captions.
  keep() {
    try {
      if (this.stale) sessionStorage.setItem(this.name, JSON.stringify({ of: this.data.scored, captions: this.values() })); else sessionStorage.removeItem(this.name);
    } catch { /* a browser without storage */ }
  }

  // Restore captions typed for the same result before a reload or on return; after New, only if the URL contains no captions.
  restore() {
    const scored = JSON.stringify(this.data.scored), before = known.get(this.name);
    known.set(this.name, scored);
    if (before !== scored) document.querySelectorAll("[data-open]").forEach(row => row.toggleAttribute("data-open", false));  // fold all fields, including the one with the cursor
    try {
      const typed = JSON.parse(sessionStorage.getItem(this.name));
      if (!typed || before === scored) return;
      const fresh = !typed.of.length && !/[?&](example|ex|t)=/.test(location.search);
      if (JSON.stringify(typed.of) === scored || (fresh && before === undefined)) this.tell({ captions: typed.captions, fill: true });
      else sessionStorage.removeItem(this.name);
    } catch { /* not written by this script */ }
  }

  show(data) {
    this.data = data;
    this.name = `spice_core.${data.key}.typed`;
    this.restore();
    for (const marked of document.querySelectorAll(".sc-marked")) marked.title ||= data.edit;
    this.compare();
    this.watch ??= setInterval(() => this.compare(), 300);  // the page may fill the fields later
  }

  // Mark fields that differ from the scored captions and show them as typed.
  compare() {
    const fields = this.all(), [candidate, ...references] = this.data.scored;
    const now = fields.map(field => field.value.trim()), scored = (text, at) => at ? references.includes(text) : text === candidate;
    fields.forEach((field, at) => this.row(field)?.toggleAttribute("data-edited", !scored(now[at], at)));
    const stale = this.stale = now[0] !== (candidate ?? "") || JSON.stringify(now.slice(1).filter(Boolean)) !== JSON.stringify(references);
    document.documentElement.classList.toggle(STALE, stale && candidate !== undefined);
  }

  row(field) { return field.closest('[class*="-field"]'); }

  open(marked, at) {
    const field = marked.closest('[class*="-field"]')?.querySelector("textarea");
    field?.focus();
    if (at !== undefined) field?.setSelectionRange(at, at);
  }

  // Count the characters of the text before this point.
  place(marked, x, y) {
    const caret = document.caretPositionFromPoint?.(x, y), range = document.createRange();
    if (!caret || !marked.contains(caret.offsetNode)) return undefined;
    range.setStart(marked, 0);
    range.setEnd(caret.offsetNode, caret.offset);
    return range.toString().length;
  }

  close() {
    clearInterval(this.watch);
    known.delete(this.name);
    document.removeEventListener("focusin", this.entered);
    document.removeEventListener("focusout", this.left);
    document.documentElement.classList.remove(STALE);
    document.removeEventListener("click", this.clicked);
    document.removeEventListener("dblclick", this.doubled);
    document.removeEventListener("input", this.written);
  }
}

const places = new WeakMap();

export default function ({ parentElement, data, setTriggerValue }) {
  const fields = places.get(parentElement) ?? new Fields(data.key);
  places.set(parentElement, fields);
  fields.tell = typed => setTriggerValue("typed", typed);
  fields.show(data);
  return () => { fields.close(); places.delete(parentElement); };
}
