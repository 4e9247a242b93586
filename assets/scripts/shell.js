// Shows the page once it is complete: styles and fonts are loaded, no placeholder or undrawn graph is visible, and the script has ended.
window.__streamlit = { BACKEND_BASE_URL: new URL(".", location.href).href };  // otherwise Streamlit first tries addresses below each page, which do not exist
{
  const all = query => [...document.querySelectorAll(query)];
  const isOnScreen = element => element.getBoundingClientRect().top < innerHeight;
  const isDrawn = part => part.querySelector('[data-testid="stBidiComponentIsolated"]')?.shadowRoot?.querySelector("main[data-drawn]");
  const isDelayed = part => isOnScreen(part) && !part.closest(".stPrintGraphic");  // the page does not wait for charts, whose places have their heights
  const isWaiting = () => all('[data-testid="stSkeleton"]').some(isDelayed) || all('[class*="-graphs "]').some(part => isOnScreen(part) && !isDrawn(part));
  const hasEnded = () => document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState === "notRunning";
  const isComplete = () => hasEnded() && document.querySelector(".sc-head") && document.fonts.status === "loaded" && !isWaiting();
  const show = () => { document.documentElement.classList.add("sc-shown"); clearInterval(watch); };
  let wasComplete = false;  // whether it was complete at the last check: new elements may load more
  const watch = setInterval(() => { const isNow = isComplete(); if (wasComplete && isNow) show(); wasComplete = isNow; }, 40);
  setTimeout(show, 10_000);  // at the latest, even if the page is incomplete
  const root = document.documentElement;
  const setLanguage = () => { const { lang } = document.querySelector(".sc-head")?.dataset ?? {}; if (lang && lang !== root.lang) root.lang = lang; };  // setting the same language again would restyle the full page
  new MutationObserver(setLanguage).observe(root, { childList: true, subtree: true });  // the page names its language

  // Streamlit fades outdated elements half a second after a run begins, by transitions that each take a layer from the beginning and delay
  // the first frame of the result. The style sheet therefore allows them only in a run that has lasted half a second.
  let timer = 0;
  const markSlowRun = () => {
    clearTimeout(timer);
    root.classList.remove("sc-slow");
    if (!hasEnded()) timer = setTimeout(() => root.classList.add("sc-slow"), 500);
  };
  new MutationObserver(markSlowRun).observe(root, { attributes: true, subtree: true, attributeFilter: ["data-test-script-state"] });
}
