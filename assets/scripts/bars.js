// Categories as bars: F1 as the bar, precision and recall as marks on it. A click shows only its tuples; a second click shows all tuples.
const percent = ratio => `${Math.min(ratio, 1) * 100}%`;

export default function ({ parentElement, data, setTriggerValue }) {
  const mark = (name, ratio) => ratio === null ? [] : [el("i", { className: name, style: `left: ${percent(ratio)}` })];
  const chip = each => {
    const track = el("span", { className: "track" }, el("b", { className: each.kind, style: `width: ${percent(each.f1 ?? 0)}` }), ...mark("precision", each.precision), ...mark("recall", each.recall));
    const button = el("button", { type: "button", title: `${each.counts}\n${data.hint}`, onclick: () => setTriggerValue("choice", each.id) }, el("span", { textContent: each.name }), el("strong", { textContent: each.ratio }), track);
    button.setAttribute("aria-pressed", each.is_chosen);
    button.setAttribute("aria-label", `${each.name} ${each.ratio}`);
    if (data.chosen && !each.is_chosen) button.className = "pale";
    return button;
  };
  const place = parentElement.querySelector("section"), at = parentElement.activeElement?.textContent;
  place.setAttribute("role", "group");
  place.setAttribute("aria-label", data.caption);
  place.replaceChildren(...data.rows.map(chip));
  if (at) [...place.children].find(button => button.textContent === at)?.focus();
}
