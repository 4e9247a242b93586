// A button that copies a link to the current view: URL parameters at the time of the click, and parameters that the page adds.
const copyText = (text, parent) => {
  if (navigator.clipboard && isSecureContext) return navigator.clipboard.writeText(text);
  const field = parent.appendChild(Object.assign(document.createElement("textarea"), { value: text }));
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  parent.querySelector("button").focus();
  return isCopied ? Promise.resolve() : Promise.reject(new Error("not allowed"));
};

export default function ({ parentElement, data }) {
  const button = parentElement.querySelector("button"), status = parentElement.querySelector("span");
  button.textContent = data.label;
  status.textContent = "";
  button.onclick = () => {
    button.focus();  // not every browser focuses a clicked button; the message disappears with the focus
    if (data.problem) { status.textContent = data.problem; return; }
    const current = new URL(location.href), params = new URLSearchParams();
    for (const name of data.view) if (current.searchParams.has(name)) params.set(name, current.searchParams.get(name));
    for (const [name, value] of Object.entries(data.params)) params.set(name, value);
    const link = `${data.base || current.origin + current.pathname}?${params}`;
    copyText(link, parentElement).then(() => { status.textContent = data.done; }, () => { status.textContent = `${data.failed} ${link}`; });
  };
}
