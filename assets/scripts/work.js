// Stores scored rows, and the causes and notes of each data set, in the tab, over a reload; reports the earlier ones once for each `ask`.
let answered = "";

const stored = prefix => Object.keys(sessionStorage).filter(name => name.startsWith(prefix));

export default function ({ data, setTriggerValue }) {
  const name = `spice_core.${data.key}`, decisions = `${name}.decisions.`;
  try {
    if (data.ask !== answered) {
      answered = data.ask;
      const before = JSON.parse(sessionStorage.getItem(`${name}.shown`));
      if (before) {
        const read = Object.fromEntries(stored(decisions).map(key => [key.slice(decisions.length), JSON.parse(sessionStorage.getItem(key))]));
        setTriggerValue("found", { shown: before, rows: sessionStorage.getItem(`${name}.rows`) ?? "", decisions: read });
        return;
      }
    }
    if (!data.shown.digest) return;
    sessionStorage.setItem(`${name}.shown`, JSON.stringify(data.shown));
    if (data.decisions) sessionStorage.setItem(decisions + data.shown.digest, JSON.stringify(data.decisions));
    else sessionStorage.removeItem(decisions + data.shown.digest);
    if (!data.rows) return;
    sessionStorage.setItem(`${name}.rows`, data.rows);
    setTriggerValue("kept", data.mark);
  } catch {  // the tab is full or stores nothing, or other scripts wrote there
    if (data.rows) setTriggerValue("kept", "");
  }
}
