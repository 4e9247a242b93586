// The rules that fired and their tuples, as buttons. A click selects the words of the tuple.
export default function ({ parentElement, data, setTriggerValue }) {
  const row = ({ id, parts, kind, rule, hint, is_chosen }) => {
    const tuple = el("b", { className: kind }, ...parts.flatMap((part, at) => at ? [el("i", { textContent: parts.length === 2 ? ": " : " – " }), part] : [part]));
    const button = el("button", { type: "button", title: hint, onclick: () => setTriggerValue("choice", id) }, tuple, el("small", { textContent: rule }));
    button.setAttribute("aria-pressed", is_chosen);
    return el("li", {}, button);
  };
  const list = parentElement.querySelector("ul"), root = parentElement.activeElement ? parentElement : parentElement.getRootNode();
  const at = [...list.querySelectorAll("button")].indexOf(root.activeElement);
  list.ariaLabel = data.caption;
  list.replaceChildren(...data.rows.map(row));
  if (at >= 0) list.querySelectorAll("button")[at]?.focus();
}
