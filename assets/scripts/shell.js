// Shows the page when it stands: styles and fonts are there, nothing on the screen is a placeholder any more, and the script has ended.
window.__streamlit = { BACKEND_BASE_URL: new URL(".", location.href).href };  // else asked for below each page's own address first, in vain
{
  const app = () => document.querySelector('[data-testid="stApp"]');
  const seen = element => element.getBoundingClientRect().top < innerHeight;
  const stands = () => app()?.dataset.testScriptState === "notRunning" && document.querySelector(".sc-head")
    && ![...document.querySelectorAll('[data-testid="stSkeleton"]')].some(seen) && document.fonts.status === "loaded";
  const show = () => { document.documentElement.classList.add("sc-shown"); watch.disconnect(); };
  const look = () => { if (stands()) show(); };
  const watch = new MutationObserver(look);
  watch.observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-test-script-state"] });
  document.fonts.addEventListener("loadingdone", look);
  setTimeout(show, 10_000);  // whatever it lacks then
}
