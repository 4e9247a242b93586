// Stores scored rows, causes and notes of each data set in the tab, so they survive a reload. Reports stored work once for each `ask`.
let answeredRequest = "";
let decisionsFit = true;

const storedNames = prefix => Object.keys(sessionStorage).filter(name => name.startsWith(prefix));

function store(name, text) {  // returns false if the tab is full or stores nothing
  try {
    if (text) sessionStorage.setItem(name, text);
    else sessionStorage.removeItem(name);
    return true;
  } catch {
    return false;
  }
}

function storedWork(name, decisions) {
  try {
    const shown = JSON.parse(sessionStorage.getItem(`${name}.shown`));
    const entries = storedNames(decisions).map(key => [key.slice(decisions.length), JSON.parse(sessionStorage.getItem(key))]);
    return shown && { shown, rows: sessionStorage.getItem(`${name}.rows`) ?? "", decisions: Object.fromEntries(entries) };
  } catch {  // the tab stores nothing, or other scripts wrote there
    return null;
  }
}

export default function ({ data, setTriggerValue }) {
  const name = `spice_core.${data.key}`, decisions = `${name}.decisions.`;
  if (data.ask !== answeredRequest) {
    answeredRequest = data.ask;
    const stored = storedWork(name, decisions);
    if (stored) {
      setTriggerValue("found", stored);
      return;
    }
  }
  if (!data.shown.digest) return;
  const fits = store(decisions + data.shown.digest, data.decisions && JSON.stringify(data.decisions));
  if (fits !== decisionsFit) setTriggerValue("decided", { fits: decisionsFit = fits });
  const isShownStored = store(`${name}.shown`, JSON.stringify(data.shown));
  if (data.rows) setTriggerValue("kept", isShownStored && store(`${name}.rows`, data.rows) ? data.mark : "");
}
