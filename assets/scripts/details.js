// Keeps what explains each tuple of a result, so that its drawing answers a click without the server.
export default function ({ data }) {
  (globalThis.spiceDetails ??= {})[data.key] = data;
}
