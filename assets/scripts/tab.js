// Stores state that the URL does not contain in the tab, so it survives a reload. Reports stored state once for each `ask`.
const answeredRequests = {};

export default function ({ data, setTriggerValue }) {
  const name = `spice_core.${data.key}`, isEmpty = !Object.keys(data.content).length;
  try {
    if (!isEmpty) sessionStorage.setItem(name, JSON.stringify(data.content));
    if (data.ask === answeredRequests[data.key]) {
      sessionStorage.setItem(`${name}.rules`, JSON.stringify(data.rules));
      return;
    }
    answeredRequests[data.key] = data.ask;
    const stored = (isEmpty && JSON.parse(sessionStorage.getItem(name))) || {}, rules = JSON.parse(sessionStorage.getItem(`${name}.rules`)) ?? {};
    if (rules.rules_text) stored.rules = rules;
    if (Object.keys(stored).length) setTriggerValue("found", stored);
  } catch { /* no storage, or content from elsewhere */ }
}
