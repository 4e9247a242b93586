// Typed captions survive a reload and a return to the page: the tab stores them, and a field reports them when it loses focus.
// A click on the marked words of a caption opens its field at that word. The result is dimmed while the fields differ from the scored captions.
const STALE = "sc-stale";

const lastScored = new Map();  // the scored captions that this page last had, by name

class Fields {
  constructor(key) {
    this.key = key;
    this.abort = new AbortController();
    const listen = (event, act) => document.addEventListener(event, act, { signal: this.abort.signal });
    const onFields = act => event => { if (this.fields().includes(event.target)) act(event); };
    listen("click", ({ target, clientX, clientY }) => {
      const marked = target.closest?.(".sc-marked");
      if (marked && !target.closest("mark, button")) this.open(marked, this.offsetAt(marked, clientX, clientY));
    });
    listen("dblclick", ({ target }) => { const marked = target.closest?.(".sc-marked"); if (marked) this.open(marked); });
    listen("input", onFields(() => { this.compare(); this.store(); }));
    listen("focusin", onFields(({ target }) => this.row(target)?.toggleAttribute("data-open", true)));
    listen("focusout", onFields(({ target, relatedTarget }) => {
      this.row(target)?.toggleAttribute("data-open", false);
      if (this.isStale && !relatedTarget?.closest("form, [data-testid=stForm]")) this.notify({ captions: this.values(), fill: false });
    }));
  }

  fields() {
    const name = `st-key-${CSS.escape(this.key)}-`;
    return [...document.querySelectorAll(`.${name}candidate textarea, [class*="${name}reference-"] textarea`)];
  }

  values() { return this.fields().map(field => field.value); }

  // Store the typed captions, or remove them if they equal the scored captions.
  store() {
    try {
      if (this.isStale) sessionStorage.setItem(this.name, JSON.stringify({ of: this.data.scored, captions: this.values() })); else sessionStorage.removeItem(this.name);
    } catch { /* a browser without storage */ }
  }

  // Restore captions typed for the same result before a reload or on return; after New, only if the URL contains no captions.
  restore() {
    const scored = JSON.stringify(this.data.scored), before = lastScored.get(this.name);
    lastScored.set(this.name, scored);
    if (before !== scored) document.querySelectorAll("[data-open]").forEach(row => row.toggleAttribute("data-open", false));  // fold all fields, including the one with the cursor
    try {
      const typed = JSON.parse(sessionStorage.getItem(this.name));
      if (!typed || before === scored) return;
      const isNew = !typed.of.length && !/[?&](example|ex|t)=/.test(location.search);
      if (JSON.stringify(typed.of) === scored || (isNew && before === undefined)) this.notify({ captions: typed.captions, fill: true });
      else sessionStorage.removeItem(this.name);
    } catch { /* not written by this script */ }
  }

  show(data) {
    this.data = data;
    this.name = `spice_core.${data.key}.typed`;
    this.restore();
    for (const marked of document.querySelectorAll(".sc-marked")) marked.title ||= data.edit;
    this.compare();
    this.timer ??= setInterval(() => this.compare(), 300);  // the page may fill the fields later
  }

  // Mark fields that differ from the scored captions and show them as typed.
  compare() {
    const fields = this.fields(), [candidate, ...references] = this.data.scored;
    const texts = fields.map(field => field.value.trim()), isScored = (text, at) => at ? references.includes(text) : text === candidate;
    fields.forEach((field, at) => this.row(field)?.toggleAttribute("data-edited", !isScored(texts[at], at)));
    this.isStale = texts[0] !== (candidate ?? "") || JSON.stringify(texts.slice(1).filter(Boolean)) !== JSON.stringify(references);
    document.documentElement.classList.toggle(STALE, this.isStale && candidate !== undefined);
    const score = document.querySelector(`.st-key-${CSS.escape(this.key)}-score button`);
    if (score) score.disabled = !this.isStale && candidate !== undefined;
  }

  row(field) { return field.closest('[class*="-field"]'); }

  open(marked, at) {
    const field = marked.closest('[class*="-field"]')?.querySelector("textarea");
    field?.focus();
    if (at !== undefined) field?.setSelectionRange(at, at);
  }

  // Count the characters of the text before this point.
  offsetAt(marked, x, y) {
    const caret = document.caretPositionFromPoint?.(x, y), range = document.createRange();
    if (!caret || !marked.contains(caret.offsetNode)) return undefined;
    range.setStart(marked, 0);
    range.setEnd(caret.offsetNode, caret.offset);
    return range.toString().length;
  }

  close() {
    clearInterval(this.timer);
    lastScored.delete(this.name);
    this.abort.abort();
    document.documentElement.classList.remove(STALE);
  }
}

const fieldsByParent = new WeakMap();

export default function ({ parentElement, data, setTriggerValue }) {
  const fields = fieldsByParent.get(parentElement) ?? new Fields(data.key);
  fieldsByParent.set(parentElement, fields);
  fields.notify = typed => setTriggerValue("typed", typed);
  fields.show(data);
  return () => { fields.close(); fieldsByParent.delete(parentElement); };
}
