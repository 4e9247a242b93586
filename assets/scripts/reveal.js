// Scrolls to a part of the page on request; `mark` counts the requests.
const marks = new Map();

export default function ({ data }) {
  const before = marks.get(data.place);
  marks.set(data.place, data.mark);
  if (!data.mark || before === undefined || before === data.mark) return;
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  document.querySelector(`.st-key-${CSS.escape(data.place)}`)?.scrollIntoView({ block: "start", behavior: calm ? "auto" : "smooth" });
}
