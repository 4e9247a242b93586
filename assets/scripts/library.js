// Hands vis-network to the page once; drawings wait for it.
export default function ({ data }) {
  if (globalThis.vis?.Network) return;
  document.head.append(Object.assign(document.createElement("script"), { textContent: data }));
  dispatchEvent(new Event("spice-drawing"));
}
