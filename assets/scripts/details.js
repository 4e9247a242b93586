// Stores the explanations of the tuples of a result, so that its drawing answers a click without the server.
export default function ({ data }) {
  (globalThis.spiceDetails ??= {})[data.key] = data;
}
