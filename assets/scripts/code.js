// Line numbers, colours and warnings behind the text of a rule file. The cursor position is kept when the field is replaced, as after Apply.
const TOKEN = /(#.*)|(^\s*\[\[?[^\]]*\]?\]?)|(^\s*[\w.]+(?=\s*=))|("""|''')|("[^"]*"|'[^']*')|([<>]{1,2}[\w:|+]+)|((?<=\})=\w+)/g;
const KINDS = ["comment", "head", "name", "", "text", "label", "name"];

const positionsByRule = new Map();  // the selection and scroll position in the text of each rule

// Split a line into coloured parts; `quote` is the delimiter of a string that continues from the previous line.
function paint(line, quote) {
  const parts = [];
  let end = 0, open = quote;
  for (const match of line.matchAll(TOKEN)) {
    if (match.index < end) continue;
    if (match[4]) {
      if (open && match[4] !== open) continue;
      open = open ? "" : match[4];
      parts.push(line.slice(end, match.index), el("i", { className: "text", textContent: match[0] }));
    } else {
      const kind = KINDS[match.slice(1).findIndex(Boolean)];
      if (open && kind !== "label" && !match[7]) continue;
      parts.push(line.slice(end, match.index), el("i", { className: kind, textContent: match[0] }));
    }
    end = match.index + match[0].length;
  }
  return [[...parts, line.slice(end) || (end ? "" : "\u200b")], open];
}

class Code {
  constructor(data) {
    this.update = () => {
      const field = document.querySelector(`.st-key-${CSS.escape(this.data.key)} textarea`);
      if (field && field !== this.field) this.attach(field);
      else if (this.field && this.text !== this.field.value) this.draw();
    };
    this.data = data;
    this.timer = setInterval(this.update, 100);  // the page renews the field after Apply
  }

  attach(field) {
    this.field = field;
    this.back?.remove();
    this.back = el("pre", { className: "sc-code", ariaHidden: "true" });
    field.parentElement.prepend(this.back);
    field.classList.add("sc-coded");
    field.spellcheck = false;
    field.addEventListener("input", () => this.draw());
    field.addEventListener("scroll", () => { this.align(); this.storePosition(); });
    for (const event of ["keyup", "pointerup", "blur"]) field.addEventListener(event, () => this.storePosition());
    this.draw();
    const position = positionsByRule.get(this.data.place);
    if (!position) return;
    field.setSelectionRange(position.start, position.end);
    field.scrollTop = position.scroll;
  }

  storePosition() { positionsByRule.set(this.data.place, { start: this.field.selectionStart, end: this.field.selectionEnd, scroll: this.field.scrollTop }); }

  draw() {
    const { field, back } = this, marks = new Map(this.data.marks.map(({ line, text }) => [line, text]));
    this.text = field.value;
    let quote = "";
    const lines = field.value.split("\n").map((line, at) => {
      const [parts, open] = paint(line, quote);
      quote = open;
      const row = el("div", { dataset: { line: at + 1 } }, ...parts), mark = marks.get(at + 1);
      if (mark && this.data.text === field.value) row.append(el("span", { textContent: mark, title: mark }));
      row.toggleAttribute("data-marked", Boolean(mark) && this.data.text === field.value);
      return row;
    });
    back.replaceChildren(...lines);
    this.align();
  }

  align() {
    const { field, back } = this;
    back.style.width = `${field.clientWidth}px`;
    back.style.height = `${field.clientHeight}px`;
    [back.scrollTop, back.scrollLeft] = [field.scrollTop, field.scrollLeft];
  }

  close() { clearInterval(this.timer); this.back?.remove(); this.field?.classList.remove("sc-coded"); }
}

const codes = new WeakMap();

export default function ({ parentElement, data }) {
  const code = codes.get(parentElement) ?? new Code(data);
  codes.set(parentElement, code);
  code.data = data;
  code.text = undefined;
  code.update();
  return () => { code.close(); codes.delete(parentElement); };
}
