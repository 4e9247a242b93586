// A button that copies a link to the current view: URL parameters at the time of the click, and parameters that the page adds.
const written = (text, parent) => {
  if (navigator.clipboard && isSecureContext) return navigator.clipboard.writeText(text);
  const field = parent.appendChild(Object.assign(document.createElement("textarea"), { value: text }));
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  parent.querySelector("button").focus();
  return done ? Promise.resolve() : Promise.reject(new Error("not allowed"));
};

export default function ({ parentElement, data }) {
  const button = parentElement.querySelector("button"), said = parentElement.querySelector("span");
  button.textContent = data.label;
  said.textContent = "";
  button.onclick = () => {
    button.focus();  // not every browser focuses a clicked button; the message disappears with the focus
    if (data.problem) { said.textContent = data.problem; return; }
    const now = new URL(location.href), asked = new URLSearchParams();
    for (const name of data.view) if (now.searchParams.has(name)) asked.set(name, now.searchParams.get(name));
    for (const [name, value] of Object.entries(data.asked)) asked.set(name, value);
    const link = `${now.origin}${now.pathname}?${asked}`;
    written(link, parentElement).then(() => { said.textContent = data.done; }, () => { said.textContent = `${data.failed} ${link}`; });
  };
}
