// Shows the page when it stands: styles and fonts are there, nothing on the screen is a placeholder or a graph still to draw, and the script has ended.
window.__streamlit = { BACKEND_BASE_URL: new URL(".", location.href).href };  // else asked for below each page's own address first, in vain
{
  const all = query => [...document.querySelectorAll(query)];
  const seen = element => element.getBoundingClientRect().top < innerHeight;
  const drawn = part => part.querySelector('[data-testid="stBidiComponentIsolated"]')?.shadowRoot?.querySelector("main[data-drawn]");
  const waiting = () => all('[data-testid="stSkeleton"]').some(seen) || all('[class*="-graphs "]').some(part => seen(part) && !drawn(part));
  const ended = () => document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState === "notRunning";
  const stands = () => ended() && document.querySelector(".sc-head") && document.fonts.status === "loaded" && !waiting();
  const show = () => { document.documentElement.classList.add("sc-shown"); clearInterval(watch); };
  let before = false;  // whether it stood at the last look: what has just come may ask for more
  const watch = setInterval(() => { const now = stands(); if (before && now) show(); before = now; }, 40);
  setTimeout(show, 10_000);  // whatever it lacks then
}
