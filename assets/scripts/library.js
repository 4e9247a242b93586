// Loads vis-network into the page once; drawings wait for it. A failed load is retried in the next run.
const NAME = "spice-drawing";

export default function ({ data }) {
  if (globalThis.vis?.Network || document.getElementById(NAME)) return;
  const script = Object.assign(document.createElement("script"), { id: NAME, src: new URL(data, document.baseURI) });
  script.onload = () => dispatchEvent(new Event(NAME));
  script.onerror = () => script.remove();
  document.head.append(script);
}
