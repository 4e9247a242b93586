// The bar above a drawing: a search box for its words, and buttons that step through the sentences of long captions.
const LARGE = 30;

class Bar {
  // `show(ids, reveal)` highlights nodes; `quiet()` restores the highlight of the page's focus.
  constructor(root, { show, quiet, chose }) {
    Object.assign(this, { root, show, quiet, chose, part: "" });
    root.className = "bar";
  }

  build(data) {
    const nodes = data.panels.flatMap(panel => panel.nodes);
    const made = JSON.stringify([data.result, data.bar, data.parts.map(part => part.id), nodes.length >= LARGE && !data.maxHeight]);
    Object.assign(this, { nodes, data, at: -1 });
    if (this.made === made) return;  // keep the buttons, even if a step draws other nodes
    this.made = made;
    if (!data.parts.some(part => part.id === this.part)) this.part = "";
    const text = data.bar, children = [];
    if (nodes.length >= LARGE && !data.maxHeight) {  // a search in a part of a graph would miss nodes
      this.count = element("output", {});
      const box = element("input", { type: "search", placeholder: text.find, ariaLabel: text.find, maxLength: 60 });
      box.oninput = () => this.find(box.value);
      box.onkeydown = event => {
        if (event.key === "Enter") { event.preventDefault(); this.turn(event.shiftKey ? -1 : 1); }
        if (event.key === "Escape") { box.value = ""; this.find(""); }
        event.stopPropagation();  // keep the shortcuts of the page from acting
      };
      children.push(element("label", {}, box, this.count));
    }
    if (data.parts.length) {
      const button = (name, label, press) => element("button", { type: "button", textContent: label, title: text[name], ariaLabel: text[name], onclick: press });
      this.said = element("p", { className: "said" });
      this.said.setAttribute("role", "status");
      this.all = button("all", text.all, () => this.choose(""));
      children.push(element("div", { className: "steps" }, button("before", "‹", () => this.step(-1)), button("next", "›", () => this.step(1)), this.all, this.said));
    }
    this.root.replaceChildren(...children);
    this.root.hidden = !children.length;
    this.say();
  }

  find(words) {
    const sought = words.trim().toLowerCase();
    this.hits = sought ? this.nodes.filter(node => node.label.replace("\n", "").toLowerCase().includes(sought)).map(node => node.id) : [];
    this.at = -1;
    this.part = "";
    this.say();
    this.count.textContent = !sought ? "" : this.hits.length ? this.data.bar.found.replace("%", this.hits.length) : this.data.bar.none;
    if (this.hits.length) this.show(this.hits, this.hits.slice(0, 1)); else this.quiet();
  }

  turn(by) {
    if (!this.hits?.length) return;
    this.at = (this.at + by + this.hits.length) % this.hits.length;
    this.show([this.hits[this.at]], [this.hits[this.at]]);
    this.count.textContent = `${this.at + 1}/${this.hits.length}`;
  }

  step(by) {
    const ids = this.data.parts.map(part => part.id), at = ids.indexOf(this.part);
    this.choose(ids[at < 0 ? (by > 0 ? 0 : ids.length - 1) : (at + by + ids.length) % ids.length]);
  }

  // Show the part of a sentence, or the full graph for "".
  choose(id) {
    this.part = id;
    this.say();
    this.chose(id);
    const part = this.chosen();
    if (part) this.show(part.nodes, part.nodes); else this.quiet();
  }

  chosen() { return this.data?.parts.find(part => part.id === this.part); }

  say() {
    if (!this.said) return;
    const part = this.chosen();
    this.all.disabled = !part;
    this.said.replaceChildren(...(part ? [element("b", { textContent: `${part.title} · ${part.count}` }), part.text] : [this.data.bar.sentences]));
  }
}
