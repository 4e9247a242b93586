// While there are unsaved changes, the browser asks for confirmation before it closes or reloads any page of the app.
export default function ({ data }) {
  window.onbeforeunload = data.unsaved ? event => event.preventDefault() : null;
  const onClick = event => {
    if (event.target.closest?.(`.st-key-${data.save}`)) window.onbeforeunload = null;
  };
  document.addEventListener("click", onClick);
  return () => document.removeEventListener("click", onClick);
}
