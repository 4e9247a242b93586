// Presses a button of the page when its key is pressed outside a field, for keys that Streamlit does not know, such as "?".
export default function ({ data }) {
  const onKey = event => {
    if (event.key !== data.key || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const place = event.composedPath()[0];
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(place?.tagName ?? "") || place?.isContentEditable) return;
    document.querySelector(`.st-key-${CSS.escape(data.button)} button`)?.click();
  };
  addEventListener("keydown", onKey);
  return () => removeEventListener("keydown", onKey);
}
