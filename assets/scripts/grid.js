// A table of buttons that show numbers. A click selects the items counted.
export default function ({ parentElement, data, setTriggerValue }) {
  const cell = each => {
    if (!each.item_count) return el("td", {}, el("span", { textContent: "–" }));
    const button = el("button", { type: "button", textContent: each.item_count, title: each.title, ariaLabel: each.title, onclick: () => setTriggerValue("choice", each.id) });
    button.setAttribute("aria-pressed", each.is_chosen);
    return el("td", {}, button);
  };
  const headers = data.headers.map(([text, title]) => { const head = el("th", { textContent: text, title }); head.scope = "col"; return head; });
  const rows = data.rows.map(([name, ...cells]) => { const head = el("th", { textContent: name }); head.scope = "row"; return el("tr", {}, head, ...cells.map(cell)); });
  const focus = parentElement.activeElement ?? parentElement.getRootNode().activeElement, at = focus?.ariaLabel;
  parentElement.querySelector("table").replaceChildren(el("caption", { textContent: data.caption }), el("thead", {}, el("tr", {}, ...headers)), el("tbody", {}, ...rows));
  if (at) [...parentElement.querySelectorAll("button")].find(button => button.ariaLabel === at)?.focus();
}
