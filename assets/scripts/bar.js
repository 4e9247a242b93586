// The bar above a drawing: a search box for its words, and buttons that step through the sentences of long captions.
const LARGE = 30;

class Bar {
  // `show(ids, revealed)` highlights nodes; `restore()` restores the highlight of the page's focus; `onChoice(id)` reports a sentence.
  constructor(root, { show, restore, onChoice }) {
    Object.assign(this, { root, show, restore, onChoice, part: "" });
    root.className = "bar";
  }

  build(data) {
    const nodes = data.panels.flatMap(panel => panel.nodes);
    const layout = JSON.stringify([data.result, data.bar, data.parts.map(part => part.id), nodes.length >= LARGE && !data.maxHeight]);
    Object.assign(this, { nodes, data, hitIndex: -1 });
    if (this.layout === layout) return;  // keep the buttons, even if a step draws other nodes
    this.layout = layout;
    if (!data.parts.some(part => part.id === this.part)) this.part = "";
    const text = data.bar, children = [];
    if (nodes.length >= LARGE && !data.maxHeight) {  // a search in a part of a graph would miss nodes
      this.count = element("output", {});
      const box = element("input", { type: "search", placeholder: text.find, ariaLabel: text.find, maxLength: 60 });
      box.oninput = () => this.find(box.value);
      box.onkeydown = event => {
        if (event.key === "Enter") { event.preventDefault(); this.showHit(event.shiftKey ? -1 : 1); }
        if (event.key === "Escape") { box.value = ""; this.find(""); }
        event.stopPropagation();  // keep the shortcuts of the page from acting
      };
      children.push(element("label", {}, box, this.count));
    }
    if (data.parts.length) {
      const button = (name, label, press) => element("button", { type: "button", textContent: label, title: text[name], ariaLabel: text[name], onclick: press });
      this.status = element("p", { className: "status" });
      this.status.setAttribute("role", "status");
      this.allButton = button("all", text.all, () => this.choose(""));
      children.push(element("div", { className: "steps" }, button("before", "‹", () => this.step(-1)), button("next", "›", () => this.step(1)), this.allButton, this.status));
    }
    this.root.replaceChildren(...children);
    this.root.hidden = !children.length;
    this.showStatus();
  }

  find(words) {
    const query = words.trim().toLowerCase();
    this.hits = query ? this.nodes.filter(node => node.label.replace("\n", "").toLowerCase().includes(query)).map(node => node.id) : [];
    this.hitIndex = -1;
    this.part = "";
    this.showStatus();
    this.count.textContent = !query ? "" : this.hits.length ? this.data.bar.found.replace("%", this.hits.length) : this.data.bar.none;
    if (this.hits.length) this.show(this.hits, this.hits.slice(0, 1)); else this.restore();
  }

  showHit(by) {
    if (!this.hits?.length) return;
    this.hitIndex = (this.hitIndex + by + this.hits.length) % this.hits.length;
    this.show([this.hits[this.hitIndex]], [this.hits[this.hitIndex]]);
    this.count.textContent = `${this.hitIndex + 1}/${this.hits.length}`;
  }

  step(by) {
    const ids = this.data.parts.map(part => part.id), at = ids.indexOf(this.part);
    this.choose(ids[at < 0 ? (by > 0 ? 0 : ids.length - 1) : (at + by + ids.length) % ids.length]);
  }

  // Show the part of a sentence, or the full graph for "".
  choose(id) {
    this.part = id;
    this.showStatus();
    this.onChoice(id);
    const part = this.chosenPart();
    if (part) this.show(part.nodes, part.nodes); else this.restore();
  }

  chosenPart() { return this.data?.parts.find(part => part.id === this.part); }

  showStatus() {
    if (!this.status) return;
    const part = this.chosenPart();
    this.allButton.disabled = !part;
    this.status.replaceChildren(...(part ? [element("b", { textContent: `${part.title} · ${part.count}` }), part.text] : [this.data.bar.sentences]));
  }
}
