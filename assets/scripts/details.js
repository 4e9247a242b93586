// Stores the explanations of a result's tuples, so the drawing handles clicks without the server.
export default function ({ data }) {
  (globalThis.spiceDetails ??= {})[data.key] = data;
}
