// Categories as rows: F1 as a bar from zero, precision and recall as marks on it. A click on a row asks for its tuples, another for all.
const percent = ratio => `${Math.min(ratio, 1) * 100}%`;

export default function ({ parentElement, data, setTriggerValue }) {
  const mark = (name, ratio) => ratio === null ? [] : [el("i", { className: name, style: `left: ${percent(ratio)}` })];
  const row = each => {
    const button = el("button", { type: "button", textContent: each.name, title: data.hint });
    button.setAttribute("aria-pressed", each.chosen);
    const head = el("th", {}, button), bar = el("b", { className: each.kind, style: `width: ${percent(each.f1 ?? 0)}` });
    head.scope = "row";
    const track = el("td", { className: "track" }, el("div", {}, bar, ...mark("precision", each.precision), ...mark("recall", each.recall)));
    const made = el("tr", { onclick: () => setTriggerValue("asked", each.id) }, head, track, el("td", { textContent: each.ratio }), el("td", { className: "counts", textContent: each.counts }));
    if (data.chosen && !each.chosen) made.className = "pale";
    return made;
  };
  const at = parentElement.activeElement?.textContent;
  parentElement.querySelector("table").replaceChildren(el("caption", { textContent: data.caption }), el("tbody", {}, ...data.rows.map(row)));
  if (at) [...parentElement.querySelectorAll("button")].find(button => button.textContent === at)?.focus();
}
