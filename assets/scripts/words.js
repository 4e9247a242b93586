// Words of a caption and a tree that the visitor clicks as parts of a tuple. A click shows immediately, then notifies Python.
const MAX_WORDS = 3;
const choosersByParent = new WeakMap();
const choiceText = chosen => `${chosen.sentence}.${chosen.words.join("-")}`;

class WordChooser {
  constructor(parent) {
    this.parent = parent;
    [this.bar, this.status, this.figure] = ["[role=toolbar]", "[role=status]", "figure"].map(part => parent.querySelector(part));
    this.clear = parent.querySelector(".clear");
    this.clear.onclick = () => { this.choose({ ...this.chosen, words: [] }); this.button(this.at)?.focus(); };
    this.bar.onkeydown = event => this.move(event);
    this.bar.addEventListener("focusin", ({ target }) => this.setTabStop(target.closest("button")));
  }

  draw(data) {
    const isNew = this.data?.key !== data.key;
    this.data = data;
    if (isNew || data.chosen === this.sentText) this.sentText = undefined;
    if (this.sentText === undefined) this.chosen = this.parseChoice(data.chosen);
    if (isNew) this.build();
    if (isNew || this.svg !== data.svg) this.drawTree();
    this.showChoice();
  }

  parseChoice(text) {
    const [sentence, words] = text.split(".");
    return { sentence: Number(sentence), words: words ? words.split("-").map(Number) : [] };
  }

  // Build the caption with a row for each sentence. If there are several, each has a button that shows its tree.
  build() {
    const { lines, text, lang } = this.data;
    this.bar.ariaLabel = text.label;
    this.clear.textContent = text.clear;
    this.bar.replaceChildren(...lines.map((words, sentence) => {
      const row = el("div", { lang, dataset: { sentence } });
      row.setAttribute("role", "group");
      row.ariaLabel = text.sentence.replace("%", sentence + 1);
      if (lines.length > 1) {
        const title = text.show.replace("%", sentence + 1);
        row.append(el("button", { type: "button", className: "number", textContent: sentence + 1, title, ariaLabel: title, onclick: () => this.choose({ sentence, words: [] }) }));
      }
      row.append(...words.map(([index, word, isClose]) => {
        const isPlain = /^[\p{P}\p{S}]+$/u.test(word), name = [isClose ? "close" : "", isPlain ? "plain" : ""].join(" ").trim();
        return el("button", { type: "button", className: name, textContent: word, dataset: { index }, onclick: () => this.click(sentence, index) });
      }));
      return row;
    }));
    this.buttons = [...this.bar.querySelectorAll("button")];
    this.setTabStop(this.buttons.find(each => each.dataset.index));
    this.bar.scrollTop = this.bar.children[this.chosen.sentence]?.offsetTop - this.bar.offsetTop;
  }

  // The words share one tab stop; the arrow keys move between them.
  setTabStop(button) {
    if (!button) return;
    this.at = this.buttons.indexOf(button);
    this.buttons.forEach(each => each.tabIndex = each === button ? 0 : -1);
  }

  button(at) { return this.buttons[at]; }

  move(event) {
    const to = { ArrowRight: () => this.at + 1, ArrowLeft: () => this.at - 1, Home: () => 0, End: () => this.buttons.length - 1, ArrowDown: () => this.indexInRow(1), ArrowUp: () => this.indexInRow(-1) }[event.key];
    if (!to || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    this.button(to())?.focus();
  }

  // Return the index of the nearest button in the row above or below.
  indexInRow(by) {
    const boxes = this.buttons.map(each => each.getBoundingClientRect()), here = boxes[this.at];
    const others = boxes.map((box, at) => ({ at, y: by * (box.top - here.top), x: Math.abs(box.left - here.left) })).filter(({ y }) => y > 8);
    return others.sort((a, b) => a.y - b.y || a.x - b.x).filter(({ y }) => y < others[0].y + 8).sort((a, b) => a.x - b.x)[0]?.at ?? this.at;
  }

  // Remove a chosen word or add another. A word of another sentence starts a new choice; a fourth word replaces the third.
  click(sentence, index) {
    const words = sentence === this.chosen.sentence ? this.chosen.words : [];
    this.choose({ sentence, words: words.includes(index) ? words.filter(each => each !== index) : [...words.slice(0, MAX_WORDS - 1), index] });
  }

  choose(chosen) {
    this.chosen = chosen;
    this.sentText = choiceText(chosen);
    this.showChoice();
    this.notify(this.sentText);
  }

  showChoice() {
    const { sentence, words } = this.chosen, { text, lines } = this.data;
    for (const button of this.buttons) {
      const isCurrent = Number(button.parentElement.dataset.sentence) === sentence;
      if (!button.dataset.index) { button.setAttribute("aria-pressed", isCurrent); continue; }
      const part = isCurrent ? words.indexOf(Number(button.dataset.index)) : -1;
      button.setAttribute("aria-pressed", part >= 0);
      button.ariaLabel = part < 0 ? null : `${button.textContent}, ${text.parts[part]}`;
      if (part < 0) delete button.dataset.part; else button.dataset.part = part + 1;
    }
    for (const row of this.bar.children) row.classList.toggle("here", lines.length > 1 && Number(row.dataset.sentence) === sentence);
    const chosen = words.map(index => lines[sentence]?.find(each => each[0] === index)?.[1] ?? "").join(" – ");
    this.status.textContent = [text.none, text.one, text.two, text.three][words.length].replace("%", () => chosen);
    this.clear.hidden = !words.length;
    const shownWords = this.data.sentence === sentence ? words : [];
    this.figure.querySelectorAll(".displacy-token").forEach((token, at) => token.classList.toggle("sc-marked", shownWords.includes(at + 1)));
  }

  // Draw the tree with a large click area for each word. An unchanged tree keeps its scroll position.
  drawTree() {
    const { svg, sentence, title, lang } = this.data, before = this.figure.querySelector(".scroll");
    const picture = new DOMParser().parseFromString(svg, "text/html").body.firstElementChild;
    const scroll = el("div", { className: "scroll", tabIndex: 0, lang }, picture), left = this.treeKey === `${this.data.key} ${sentence}` ? before?.scrollLeft : 0;
    scroll.setAttribute("role", "img");
    scroll.ariaLabel = title;
    this.figure.replaceChildren(el("figcaption", { textContent: title }), scroll);
    [...picture.querySelectorAll(".displacy-token")].forEach((token, at) => {
      const box = token.getBBox(), ground = document.createElementNS("http://www.w3.org/2000/svg", "rect"), width = Math.max(box.width + 12, 48);
      const attributes = { x: box.x + box.width / 2 - width / 2, y: box.y - 4, width, height: box.height + 8, rx: 6, class: "ground" };
      Object.entries(attributes).forEach(([name, value]) => ground.setAttribute(name, value));
      const group = document.createElementNS("http://www.w3.org/2000/svg", "g");
      group.setAttribute("class", "token");
      token.replaceWith(group);
      group.append(ground, token);
      group.onclick = () => this.click(sentence, at + 1);
    });
    scroll.scrollLeft = left ?? 0;
    Object.assign(this, { svg, treeKey: `${this.data.key} ${sentence}` });
  }
}

export default function ({ parentElement, data, setTriggerValue }) {
  const chooser = choosersByParent.get(parentElement) ?? new WordChooser(parentElement);
  choosersByParent.set(parentElement, chooser);
  chooser.notify = chosen => setTriggerValue("choice", chosen);
  chooser.draw(data);
}
