// Shows the page once it is complete: styles and fonts are loaded, no placeholder or undrawn graph is visible, and the script has ended.
window.__streamlit = { BACKEND_BASE_URL: new URL(".", location.href).href };  // otherwise Streamlit first tries addresses below each page, which do not exist
{
  const all = query => [...document.querySelectorAll(query)];
  const seen = element => element.getBoundingClientRect().top < innerHeight;
  const drawn = part => part.querySelector('[data-testid="stBidiComponentIsolated"]')?.shadowRoot?.querySelector("main[data-drawn]");
  const waiting = () => all('[data-testid="stSkeleton"]').some(seen) || all('[class*="-graphs "]').some(part => seen(part) && !drawn(part));
  const ended = () => document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState === "notRunning";
  const stands = () => ended() && document.querySelector(".sc-head") && document.fonts.status === "loaded" && !waiting();
  const show = () => { document.documentElement.classList.add("sc-shown"); clearInterval(watch); };
  let before = false;  // whether it was complete at the last check: new elements may load more
  const watch = setInterval(() => { const now = stands(); if (before && now) show(); before = now; }, 40);
  setTimeout(show, 10_000);  // at the latest, even if the page is incomplete
  const root = document.documentElement;
  const speak = () => { const { lang } = document.querySelector(".sc-head")?.dataset ?? {}; if (lang && lang !== root.lang) root.lang = lang; };  // setting the same language again would restyle the full page
  new MutationObserver(speak).observe(root, { childList: true, subtree: true });  // the page names its language

  // Streamlit fades outdated elements half a second after a run begins, by transitions that each take a layer from the beginning and delay
  // the first frame of the result. The style sheet therefore allows them only in a run that has lasted half a second.
  let slow = 0;
  const time = () => {
    clearTimeout(slow);
    root.classList.remove("sc-slow");
    if (!ended()) slow = setTimeout(() => root.classList.add("sc-slow"), 500);
  };
  new MutationObserver(time).observe(root, { attributes: true, subtree: true, attributeFilter: ["data-test-script-state"] });
}
