// One drawing: its panels side by side or one above the other, each a vis-network with places and measures from Python.
const SMALLEST = 0.7;

function element(name, facts = {}, ...children) {
  const made = Object.assign(document.createElement(name), facts);
  made.append(...children);
  return made;
}

class Graphs {
  // `select(id)` hears which node was clicked, "" for the ground; `theme()` says light or dark.
  constructor(root, { theme, select = () => {} }) {
    Object.assign(this, { root, theme, select, networks: [], focused: [], last: 0 });
    this.watch = new ResizeObserver(() => { if (root.clientWidth && root.clientWidth !== this.last) this.fit(); });
    this.watch.observe(root);
  }

  // Draw these data, or only light what is in focus where the same are drawn already.
  show(data) {
    const lit = data.focus ?? [];
    if (this.data?.key === data.key && this.drawn === this.theme()) {
      this.focus(lit);
      return;
    }
    this.data = data;
    this.aim(lit);
    this.build();
  }

  build() {
    this.drawn = this.theme();
    this.networks.forEach(net => net.destroy());
    this.root.replaceChildren(...this.data.panels.map(panel => this.section(panel)));
    this.networks = this.data.panels.filter(panel => panel.nodes.length).map(panel => this.network(panel));
    this.fit();
    this.networks.forEach(net => net.body.emitter.emit("_allowRedraw"));
    this.networks.forEach(net => net.redraw());
  }

  section(panel) {
    const header = element("header", {}, element("h3", { textContent: panel.title }), element("span", { textContent: panel.note }));
    if (!panel.nodes.length) return element("section", {}, header, element("p", { className: "empty", textContent: panel.empty }));
    const canvas = element("div", { className: "canvas", role: "img", ariaLabel: panel.alt });
    const [smaller, larger, fit, picture] = this.data.buttons;
    const button = (text, said, press) => element("button", { type: "button", textContent: text, title: said, ariaLabel: `${said}: ${panel.title}`, onclick: press });
    const zoom = by => () => panel.net.moveTo({ scale: panel.net.getScale() * by, animation: false });
    header.append(element("nav", {}, button("−", smaller, zoom(0.8)), button("+", larger, zoom(1.25)), button(fit, fit, () => panel.net.moveTo(panel.home)), button("PNG", picture, () => this.save(panel))));
    panel.canvas = canvas;
    return element("section", {}, header, element("div", { className: "scroll", role: "group", ariaLabel: panel.title }, canvas));
  }

  // The panel as it is seen, on the ground of the page.
  save(panel) {
    const seen = panel.canvas.querySelector("canvas"), picture = element("canvas", { width: seen.width, height: seen.height }), ctx = picture.getContext("2d");
    ctx.fillStyle = this.data.palettes[this.drawn].surface;
    ctx.fillRect(0, 0, picture.width, picture.height);
    ctx.drawImage(seen, 0, 0);
    picture.toBlob(blob => {
      const link = element("a", { href: URL.createObjectURL(blob), download: "scene-graph.png" });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });
  }

  // A panel with its nodes, lines and clicks, which paints nothing yet: each step of its building would paint all.
  network(panel) {
    const options = this.data.options, touch = matchMedia("(pointer: coarse)").matches;
    panel.strokes = strokes(this.data.palettes[this.drawn], { ...this.data, light: id => this.light(id) });
    panel.sets = { nodes: new vis.DataSet(panel.nodes.map(panel.strokes.node)), edges: new vis.DataSet(panel.edges.map((edge, id) => ({ ...panel.strokes.edge(edge), id }))) };
    const net = new vis.Network(panel.canvas, {}, {
      ...options, autoResize: false, interaction: { ...options.interaction, dragView: !touch, dragNodes: !touch },
    });
    net.body.emitter.emit("_blockRedraw");
    net.setData(panel.sets);
    panel.canvas.querySelector(".vis-network").removeAttribute("tabindex");  // it hears no keys
    net.on("click", ({ nodes, edges }) => this.select(nodes[0] ?? this.owner(panel.edges[edges[0]])));
    net.on("hoverNode", () => { panel.canvas.style.cursor = "pointer"; });
    net.on("blurNode", () => { panel.canvas.style.cursor = ""; });
    panel.net = net;
    return net;
  }

  // The relation or attribute that a line belongs to.
  owner(edge) {
    if (!edge) return "";
    const ends = [edge.from, edge.to].map(id => id.split("/")[0]);
    return ends.find(id => this.node(id)?.kind === edge.kind) ?? "";
  }

  node(id) {
    return this.data.panels.flatMap(panel => panel.nodes).find(node => node.id === id);
  }

  // How a node stands to the focus: itself, joined to it by a line, or neither.
  light(id) {
    const name = String(id).split("/")[0];
    return !this.focused.length ? "near" : this.focused.includes(name) ? "focus" : this.near.has(name) ? "near" : "far";
  }

  // Light these nodes, and those around them; `alone`, only the ends of the relations among them.
  focus(ids, alone = false) {
    this.aim(ids, alone);
    for (const panel of this.data.panels) {
      panel.sets?.edges.update(panel.edges.map((edge, id) => ({ ...panel.strokes.edge(edge), id })));
      panel.net?.redraw();
    }
  }

  // Which nodes are in focus, and which near it.
  aim(ids, alone = false) {
    const here = new Set(this.data.panels.flatMap(panel => panel.nodes.map(node => node.id)));
    this.focused = ids.filter(id => here.has(id));
    this.near = new Set();
    for (const { from, to } of this.data.panels.flatMap(panel => panel.edges)) {
      const [a, b] = [from, to].map(id => id.split("/")[0]);
      const [first, second] = [a, b].map(id => this.focused.includes(id) && (!alone || this.node(id)?.kind === "relation"));
      if (first) this.near.add(b);
      if (second) this.near.add(a);
    }
    const direct = new Set(alone ? [] : this.near);
    for (const { from, to, kind } of this.data.panels.flatMap(panel => panel.edges)) {  // a relation nearby shows both its ends
      const [a, b] = [from, to].map(id => id.split("/")[0]), [relation, end] = this.node(a)?.kind === "relation" ? [a, b] : [b, a];
      if (kind === "relation" && direct.has(relation)) this.near.add(end);
    }
  }

  // Scroll each panel to the middle of these nodes.
  reveal(ids) {
    for (const panel of this.data.panels.filter(panel => panel.net)) {
      const nodes = panel.nodes.filter(node => ids.includes(node.id)), box = panel.canvas.parentElement;
      if (!nodes.length) continue;
      const middle = side => nodes.map(node => node[side]).sort((a, b) => a - b)[nodes.length >> 1];
      const { x, y } = panel.net.canvasToDOM({ x: middle("x"), y: middle("y") });
      box.scrollTo({ left: x - box.clientWidth / 2, top: y - box.clientHeight / 2, behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
    }
  }

  fit() {
    const { root, data } = this, total = root.clientWidth;
    this.last = total;
    if (!total || !data) return;
    const several = data.panels.length > 1;
    const half = (total - 16) / 2 - 2, beside = several && total >= 700 && half / data.width >= SMALLEST - 0.05;
    root.classList.toggle("wide", several && (beside || !this.networks.length));
    const room = beside ? half : total - 2, scale = Math.min(1.1, Math.max(SMALLEST - 0.05, room / data.width));
    for (const panel of data.panels.filter(panel => panel.net)) {
      // Side by side both show the whole layout; one above the other each shows its own part of the height.
      const { top, bottom } = beside ? data : panel;
      const size = [Math.max(room, data.width * scale), Math.max(120, (bottom - top) * scale)].map(length => `${length}px`);
      Object.assign(panel.canvas.style, { width: size[0], height: size[1] });
      const box = panel.canvas.parentElement;
      box.tabIndex = data.width * scale > room + 1 || box.scrollHeight > box.clientHeight + 1 ? 0 : -1;  // a stop of Tab where there is something to scroll
      panel.net.setSize("100%", "100%");
      panel.home = { position: { x: data.width / 2, y: (top + bottom) / 2 }, scale, animation: false };
      panel.net.moveTo(panel.home);
      panel.net.redraw();
    }
  }

  destroy() {
    this.watch.disconnect();
    this.networks.forEach(net => net.destroy());
  }
}

// Canvases are painted once, so the faces have to be there before.
function faces(data) {
  const written = "a" + data.panels.flatMap(panel => panel.nodes.map(node => node.label)).join("");
  return Promise.allSettled(["500 13px", "600 14px"].map(face => document.fonts.load(`${face} ${data.font}`, written)));
}
