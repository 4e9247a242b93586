// Present: one result on the full screen, built up in parts ("beats"). The page contains all beats, so no key waits for the server.
const stagesByParent = new WeakMap();
const parseHtml = html => [...new DOMParser().parseFromString(html, "text/html").body.childNodes];  // built and escaped by the page

// Length of a caption, which determines its letter size; full-width characters count double.
const letterSize = text => Math.max(20, Math.min(56, Math.floor(766 / Math.sqrt([...text].reduce((sum, char) => sum + (char > "\u2e80" ? 2 : 1), 1)))));

class Stage {
  constructor(parent) {
    this.parent = parent;
    this.dialog = parent.querySelector("dialog");
    this.dialog.addEventListener("cancel", event => { event.preventDefault(); this.leave(); });
    this.dialog.addEventListener("click", event => {
      const link = event.composedPath()[0].closest?.("[data-focus]");
      if (link) this.highlight(link.dataset.focus);
      if (link && !this.panels.all.hidden) this.toggle("all");
    });
    this.onKey = event => this.press(event);
    addEventListener("keydown", this.onKey, true);
    this.onResize = () => this.fit();
    addEventListener("resize", this.onResize);
    document.fonts?.ready.then(this.onResize);
  }

  show(data) {
    const isNew = this.data?.mark !== data.mark;
    this.data = data;
    if (!isNew) return;
    this.beat = Math.min(Math.max(data.beat || data.beats.length, 1), data.beats.length);
    this.highlighted = "";
    this.build();
    if (!this.dialog.open) this.dialog.showModal();
    this.dialog.querySelector(".frame").focus();
    this.showBeat(this.beat);
    this.fit();
  }

  build() {
    const { data } = this, text = data.texts;
    const button = (name, press, label = text[name]) => el("button", { type: "button", textContent: label, onclick: press, dataset: { name } });
    const head = el("header", {}, el("h1", { textContent: data.title }), el("span", { className: "of", textContent: data.of }),
      el("output", { className: "score" }, ...parseHtml(data.score)));
    const lines = () => data.captions.map(([name, html]) => el("div", {}, el("dt", { textContent: name }), el("dd", { lang: data.lang }, ...parseHtml(html))));
    const chips = number => data.chips.map((chip, i) => el("button", { type: "button", className: `chip ${chip.kind} ${chip.state}`, textContent: `${number ? `${i + 1} ` : ""}${chip.mark} ${chip.text}`, dataset: { focus: chip.id } }));
    const cut = list => el("div", { className: "cut" }, list, el("button", { type: "button", className: "more", hidden: true, ariaLabel: text.all, onclick: () => this.toggle("all") }));
    const big = el("figure", { className: "words", dataset: { view: "words" } }, el("p", { lang: data.lang, textContent: data.own[0], style: `--size: ${letterSize(data.own[0])}` }));
    const stage = el("div", { className: "stage" }, big, ...Object.entries(data.pictures).map(([name, svg]) => el("figure", { dataset: { view: name } }, ...parseHtml(svg), ...(data.parts[name] ? [el("figcaption", { textContent: data.parts[name] })] : []))));
    const ask = el("p", { className: "ask" }, ...(data.ask ? [el("b", { textContent: data.ask })] : []), ...data.choices.map((choice, i) => button(`choice${i}`, () => this.choose(i), `${i + 1} ${choice.label}`)), ...(data.line ? [el("span", { className: "line", textContent: data.line })] : []));
    const foot = el("nav", { ariaLabel: text.keys[0] }, button("back", () => this.step(-1)), el("span", { className: "beat", role: "status" }), button("next", () => this.step(1)),
      button("view", () => this.showNextPicture()), button("all", () => this.toggle("all")), button("code", () => this.toggle("code")), ...(data.editable ? [button("own", () => this.toggle("own"))] : []), button("blank", () => this.toggle("blank")),
      button("full", () => this.full()), button("help", () => this.toggle("help")), button("leave", () => this.leave()));
    this.panels = {
      code: el("section", { className: "panel code", hidden: true }, ...parseHtml(data.code), el("p", { textContent: data.link }), el("p", { textContent: data.local })),
      help: el("section", { className: "panel help", hidden: true }, ...text.keys.map(line => el("p", { textContent: line }))),
      blank: el("section", { className: "panel blank", hidden: true }),
      all: el("section", { className: "panel all", hidden: true, tabIndex: -1 }, el("dl", { className: "captions" }, ...lines()), el("div", { className: "chips" }, ...chips(false))),
      own: this.form(text),
    };
    this.dialog.replaceChildren(el("div", { className: "frame", tabIndex: -1 }, head, cut(el("dl", { className: "captions" }, ...lines())), stage, cut(el("div", { className: "chips" }, ...chips(!data.choices.length))), ask, foot), ...Object.values(this.panels));
    this.dialog.setAttribute("aria-label", data.title);
  }

  // Hide captions and tuples that do not fit, and show their number; a button shows all of them.
  fit() {
    for (const figure of this.dialog.querySelectorAll("figure")) figure.scrollLeft = (figure.scrollWidth - figure.clientWidth) / 2;  // on a phone, a graph scrolls
    for (const box of this.dialog.querySelectorAll(".cut")) {
      const [list, more] = box.children, items = [...list.children];
      const end = item => item.offsetTop + item.offsetHeight;  // without the movement of an animation
      const overflows = shown => end(items[shown - 1]) > end(list) + 2;
      for (const item of items) item.hidden = false;
      more.hidden = true;
      for (let shown = items.length; shown > 1 && overflows(shown); more.hidden = false) {
        items[--shown].hidden = true;
        more.textContent = `+${items.length - shown}`;
      }
    }
  }

  form(text) {
    const candidate = el("input", { type: "text", value: this.data.own[0], ariaLabel: text.candidate, maxLength: this.data.longest });
    const references = el("textarea", { rows: 4, value: this.data.own.slice(1).join("\n"), ariaLabel: text.references });
    const form = el("form", {}, el("label", { textContent: text.candidate }), candidate, el("label", { textContent: text.references }), references, el("button", { textContent: text.score }));
    form.onsubmit = event => {
      event.preventDefault();
      this.notify("captions", { candidate: candidate.value, references: references.value.split("\n") });
      this.toggle("own");
    };
    return el("section", { className: "panel own", hidden: true }, form);
  }

  // Show a beat; the style sheet alone decides what is visible.
  showBeat(beat) {
    this.beat = beat;
    const name = this.data.beats[beat - 1];
    this.dialog.dataset.beat = name;
    this.dialog.dataset.shown = this.data.beats.slice(0, beat).join(" ");
    this.showPicture({ words: "words", tree: "tree", tuples: "candidate", merged: "references" }[name] ?? "union");
    this.dialog.querySelector(".beat").textContent = `${beat}/${this.data.beats.length} ${this.data.texts[`beat_${name}`]}`;
    const address = new URL(location.href);
    address.searchParams.set("beat", beat);
    history.replaceState(history.state, "", address);
  }

  step(by) {
    const to = this.beat + by;
    if (to >= 1 && to <= this.data.beats.length) this.showBeat(to);
    else this.notify("go", by);
  }

  showNextPicture() {
    const views = Object.keys(this.data.pictures).filter(name => name !== "tree" && !name.endsWith("_whole")), at = views.indexOf(this.dialog.dataset.view);
    this.showPicture(views[(at + 1) % views.length]);
  }

  // Show a picture: the readable part of a graph, or the full graph.
  showPicture(name, whole = false) {
    this.dialog.dataset.view = name;
    this.whole = whole && `${name}_whole` in this.data.pictures;
    for (const figure of this.dialog.querySelectorAll("figure")) figure.classList.toggle("shown", figure.dataset.view === (this.whole ? `${name}_whole` : name));
  }

  highlight(id) {
    this.highlighted = this.highlighted === id ? "" : id;
    const chip = this.data.chips.find(each => each.id === this.highlighted), nodes = new Set(chip?.nodes ?? []);
    this.dialog.classList.toggle("highlighted", Boolean(chip));
    for (const node of this.dialog.querySelectorAll("[data-elements]")) node.classList.toggle("on", node.dataset.elements.split(" ").some(each => nodes.has(each)));
    for (const part of this.dialog.querySelectorAll("[data-focus]")) part.classList.toggle("on", part.dataset.focus === this.highlighted);
  }

  choose(i) {
    const choice = this.data.choices[i];
    if (!choice) return;
    const ask = this.dialog.querySelector(".ask");
    ask.querySelector("em")?.remove();
    ask.append(el("em", { className: choice.right ? "yes" : "no", role: "status", textContent: `${choice.right ? "✓" : "✗"} ${choice.why}` }));
  }

  toggle(name) {
    for (const [each, panel] of Object.entries(this.panels)) panel.hidden = each === name ? !panel.hidden : true;
    if (!this.panels[name].hidden) (this.panels[name].querySelector("input") ?? this.panels[name]).focus();
  }

  full() {
    if (document.fullscreenElement) document.exitFullscreen();
    else document.documentElement.requestFullscreen?.().catch(() => {});
  }

  leave() {
    if (Object.values(this.panels).some(panel => !panel.hidden)) { for (const panel of Object.values(this.panels)) panel.hidden = true; return; }
    if (document.fullscreenElement) { document.exitFullscreen(); return; }
    this.notify("left", true);
  }

  press(event) {
    if (!this.dialog.open) return;
    const field = /^(INPUT|TEXTAREA)$/.test(event.composedPath()[0]?.tagName ?? "");
    if (event.key !== "Escape" && (field || event.isComposing || event.ctrlKey || event.metaKey || event.altKey)) {
      if (field && !event.ctrlKey && !event.metaKey) event.stopPropagation();
      return;
    }
    const onButton = event.composedPath()[0]?.tagName === "BUTTON" && [" ", "Enter"].includes(event.key);
    const keys = {
      ArrowRight: () => this.step(1), " ": () => this.step(1), PageDown: () => this.step(1), ArrowLeft: () => this.step(-1), PageUp: () => this.step(-1),
      ArrowDown: () => this.notify("go", 1), ArrowUp: () => this.notify("go", -1), f: () => this.full(), g: () => this.showNextPicture(), z: () => this.showPicture(this.dialog.dataset.view, !this.whole), q: () => this.toggle("code"),
      b: () => this.toggle("blank"), a: () => this.toggle("all"), o: () => this.data.editable && this.toggle("own"), "?": () => this.toggle("help"), Escape: () => this.leave(), 0: () => this.highlight(this.highlighted),
    };
    event.stopPropagation();  // keep the shortcuts of the page, such as r and c, from acting
    const digit = /^[1-9]$/.test(event.key) && (() => this.data.choices.length ? this.choose(event.key - 1) : this.data.chips[event.key - 1] && this.highlight(this.data.chips[event.key - 1].id));
    const act = onButton ? null : digit || keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  close() {
    removeEventListener("keydown", this.onKey, true);
    removeEventListener("resize", this.onResize);
    if (this.dialog.open) this.dialog.close();
  }
}

export default function ({ parentElement, data, setTriggerValue }) {
  const stage = stagesByParent.get(parentElement) ?? new Stage(parentElement);
  stagesByParent.set(parentElement, stage);
  stage.notify = setTriggerValue;
  stage.show(data);
  return () => { stage.close(); stagesByParent.delete(parentElement); };
}
