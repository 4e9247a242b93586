// Stores state that the URL does not contain in the tab, so it survives a reload. Reports stored state once for each `ask`.
const answered = {};

export default function ({ data, setTriggerValue }) {
  const name = `spice_core.${data.key}`, empty = !Object.keys(data.kept).length;
  try {
    if (!empty) sessionStorage.setItem(name, JSON.stringify(data.kept));
    if (data.ask === answered[data.key]) {
      sessionStorage.setItem(`${name}.rules`, JSON.stringify(data.rules));
      return;
    }
    answered[data.key] = data.ask;
    const before = (empty && JSON.parse(sessionStorage.getItem(name))) || {}, rules = JSON.parse(sessionStorage.getItem(`${name}.rules`)) ?? {};
    if (rules.rules_text) before.rules = rules;
    if (Object.keys(before).length) setTriggerValue("found", before);
  } catch { /* no storage, or content from elsewhere */ }
}
