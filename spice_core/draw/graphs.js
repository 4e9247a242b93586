// A drawing with panels side by side or stacked. Each panel is a vis-network with positions and sizes from Python.
const READABLE = 0.84, LARGEST = 1.1, CLOSEST = 4;  // scales: minimum side by side, maximum initially, maximum by zoom
const UNDER = 330;  // pixels of the page above and below the drawing
const LOCK = ["M4 7V5a4 4 0 0 1 8 0v2", "M3 7h10v7H3z"];

function element(name, facts = {}, ...children) {
  const made = Object.assign(document.createElement(name), facts);
  made.append(...children);
  return made;
}

function icon(paths) {
  const make = (name, facts) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [fact, value] of Object.entries(facts)) made.setAttribute(fact, value);
    return made;
  };
  const drawn = make("svg", { viewBox: "0 0 16 16", width: 14, height: 14, "aria-hidden": true });
  drawn.append(...paths.map(d => make("path", { d, fill: "none", stroke: "currentColor", "stroke-width": 1.5 })));
  return drawn;
}

class Graphs {
  // `select(id)` is called with the id of the clicked node or of the node that a clicked line belongs to, or "" for the background.
  // `theme()` returns light or dark.
  constructor(root, { theme, select = () => {} }) {
    Object.assign(this, { root, theme, select, networks: [], focused: [], last: 0, locked: true });
    this.watch = new ResizeObserver(() => { if (root.clientWidth && root.clientWidth !== this.last) this.fit(); });
    this.watch.observe(root);
  }

  // Draw the data, or only update the focus if the data are already drawn.
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
    const full = this.data.panels.filter(panel => panel.nodes.length);
    while (this.networks.length > full.length) this.networks.pop().destroy();
    full.forEach((panel, at) => { panel.canvas = this.networks[at]?.panel.canvas ?? this.canvas(); });
    this.root.replaceChildren(...this.data.panels.map(panel => this.section(panel)));
    this.networks = full.map((panel, at) => this.fill(this.networks[at] ?? this.network(panel), panel));
    this.fit();
    this.networks.forEach(net => net.body.emitter.emit("_allowRedraw"));
    this.networks.forEach(net => net.redraw());
  }

  section(panel) {
    const header = element("header", {}, element("h3", { textContent: panel.title }), element("span", { textContent: panel.note, title: panel.note }));
    if (!panel.nodes.length) return element("section", {}, header, element("p", { className: "empty", textContent: panel.empty }));
    const [smaller, larger, fit, picture, lock] = this.data.buttons, several = this.data.panels.length > 1;
    const button = (text, said, press) => element("button", { type: "button", textContent: text, title: said, ariaLabel: `${said}: ${panel.title}`, onclick: press });
    const zoom = by => () => this.zoom(panel, by);
    panel.lock = button("", lock, () => this.lock(panel));
    panel.lock.append(icon(LOCK));
    panel.lock.hidden = !several;
    header.append(element("nav", {}, button("−", smaller, zoom(0.8)), button("+", larger, zoom(1.25)), button(fit, fit, () => this.view(panel, { x: 0, y: 0, zoom: 1 })), panel.lock, button("PNG", picture, () => this.save(panel))));
    panel.canvas.ariaLabel = panel.alt;
    return element("section", {}, header, panel.canvas);
  }

  canvas() {
    return element("div", { className: "canvas", role: "img" });
  }

  // Toggle whether both panels move together. If they do, the other panel adopts the view of this one.
  lock(panel) {
    this.locked = !this.locked;
    this.say();
    if (this.locked) this.view(panel, panel.seen);
  }

  say() {
    for (const { lock } of this.data.panels) lock?.setAttribute("aria-pressed", this.locked);
  }

  // Zoom by the wheel if Ctrl is pressed, the drawing is enlarged, or the wheel turns up at the top of the page. Else, the page scrolls.
  wheel(panel, event) {
    const scrolled = (document.querySelector('[data-testid="stMain"]') ?? document.scrollingElement).scrollTop > 1;
    if (!event.ctrlKey && panel.seen.zoom <= 1.001 && (event.deltaY > 0 || scrolled)) return;
    event.preventDefault();
    const box = panel.canvas.getBoundingClientRect();
    this.zoom(panel, Math.exp(-Math.max(-100, Math.min(100, event.deltaY)) / 400), { x: event.clientX - box.left, y: event.clientY - box.top });
  }

  // Scale the drawing around a point of the panel, or around its centre.
  zoom(panel, by, at) {
    const { home, seen } = panel, zoom = Math.max(0.5, Math.min(CLOSEST / home.scale, seen.zoom * by));
    const held = at ? panel.net.DOMtoCanvas(at) : panel.net.getViewPosition(), share = seen.zoom / zoom;
    const moved = axis => held[axis] - home.position[axis] + (seen[axis] + home.position[axis] - held[axis]) * share;
    this.view(panel, zoom > 1 || by > 1 || !at ? { x: moved("x"), y: moved("y"), zoom } : { x: 0, y: 0, zoom: 1 });
  }

  // Move a panel by x and y and enlarge it by `zoom`, relative to its initial view. Locked panels move together.
  view(panel, seen) {
    for (const each of this.data.panels) if (each.net && (this.locked || each === panel)) this.place(each, seen);
  }

  place(panel, seen) {
    const { position, scale } = panel.home;
    panel.seen = seen;
    panel.net.moveTo({ position: { x: position.x + seen.x, y: position.y + seen.y }, scale: scale * seen.zoom, animation: false });
  }

  // Adopt the view to which the user dragged a panel.
  dragged(panel, { nodes }) {
    if (nodes.length) return;
    const { x, y } = panel.net.getViewPosition();
    this.view(panel, { x: x - panel.home.position.x, y: y - panel.home.position.y, zoom: panel.seen.zoom });
  }

  // Save the visible part of a panel as PNG, on the background of the panel.
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

  // Create the network of a panel. This is costly, so later drawings reuse it; `net.panel` is the current panel.
  network({ canvas }) {
    const options = this.data.options, touch = matchMedia("(pointer: coarse)").matches;
    const net = new vis.Network(canvas, {}, {
      ...options, autoResize: false, interaction: { ...options.interaction, dragView: !touch, dragNodes: !touch },
    });
    canvas.querySelector(".vis-network").removeAttribute("tabindex");  // it handles no keys
    canvas.addEventListener("wheel", event => this.wheel(net.panel, event), { passive: false });
    net.on("click", ({ nodes, edges }) => this.select(nodes[0] ?? this.owner(net.panel.edges[edges[0]])));
    net.on("hoverNode", () => { canvas.style.cursor = "pointer"; });
    net.on("blurNode", () => { canvas.style.cursor = ""; });
    for (const name of ["dragging", "dragEnd"]) net.on(name, event => this.dragged(net.panel, event));
    return net;
  }

  // Fill the network of a panel, with redraws blocked because each step would redraw everything.
  fill(net, panel) {
    net.interactionHandler.popup?.hide();
    panel.canvas.style.cursor = "";
    panel.strokes = strokes(this.data.palettes[this.drawn], { ...this.data, light: id => this.light(id) });
    panel.sets = { nodes: new vis.DataSet(panel.nodes.map(panel.strokes.node)), edges: new vis.DataSet(panel.edges.map((edge, id) => ({ ...panel.strokes.edge(edge), id }))) };
    net.body.emitter.emit("_blockRedraw");
    net.setData(panel.sets);
    return Object.assign(panel.net = net, { panel });
  }

  // Return the relation or attribute that a line belongs to.
  owner(edge) {
    if (!edge) return "";
    const ends = [edge.from, edge.to].map(id => id.split("/")[0]);
    return ends.find(id => this.node(id)?.kind === edge.kind) ?? "";
  }

  node(id) {
    return this.data.panels.flatMap(panel => panel.nodes).find(node => node.id === id);
  }

  // Return whether a node is in focus, adjacent to the focus (near), or neither (far).
  light(id) {
    const name = String(id).split("/")[0];
    return !this.focused.length ? "near" : this.focused.includes(name) ? "focus" : this.near.has(name) ? "near" : "far";
  }

  // Highlight nodes and their neighbours. With `alone`, only the neighbours of relations are highlighted.
  focus(ids, alone = false) {
    this.aim(ids, alone);
    for (const panel of this.data.panels) {
      panel.sets?.edges.update(panel.edges.map((edge, id) => ({ ...panel.strokes.edge(edge), id })));
      panel.net?.redraw();
    }
  }

  // Set the nodes in focus and near it.
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
    for (const { from, to, kind } of this.data.panels.flatMap(panel => panel.edges)) {  // both ends of a relation near the focus are near
      const [a, b] = [from, to].map(id => id.split("/")[0]), [relation, end] = this.node(a)?.kind === "relation" ? [a, b] : [b, a];
      if (kind === "relation" && direct.has(relation)) this.near.add(end);
    }
  }

  // Scroll nodes into view, within an enlarged panel and on the screen.
  reveal(ids) {
    const middle = (nodes, side) => nodes.map(node => node[side]).sort((a, b) => a - b)[nodes.length >> 1];
    for (const panel of this.data.panels.filter(panel => panel.net)) {
      const nodes = panel.nodes.filter(node => ids.includes(node.id));
      if (!nodes.length) continue;
      const x = middle(nodes, "x"), y = middle(nodes, "y"), { position } = panel.home;
      if (panel.seen.zoom > 1) this.view(panel, { x: x - position.x, y: y - position.y, zoom: panel.seen.zoom });
      const mark = element("i", { style: `position: absolute; top: ${panel.net.canvasToDOM({ x, y }).y}px; scroll-margin: 120px` });
      panel.canvas.append(mark);
      mark.scrollIntoView({ block: "nearest", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
      mark.remove();
    }
  }

  // Fit each panel to its graph: side by side, both show the full layout; stacked, each shows only its part.
  fit() {
    const { root, data } = this, total = root.clientWidth;
    this.last = total;
    if (!total || !data) return;
    const several = data.panels.length > 1, half = (total - 16) / 2 - 2;
    const beside = several && half / data.width >= READABLE, most = data.high ? Math.max(data.high, innerHeight - UNDER) : Infinity;
    root.classList.toggle("wide", several && (beside || (!this.networks.length && total >= 560)));
    for (const panel of data.panels.filter(panel => panel.net)) {
      const { top, bottom, left, right } = beside ? data : panel, room = beside ? half : total - 2;
      const scale = Math.min(LARGEST, room / (right - left), most / (bottom - top));
      panel.canvas.style.height = `${Math.ceil(Math.max(120, (bottom - top) * scale))}px`;
      panel.net.setSize("100%", "100%");
      panel.home = { position: { x: (left + right) / 2, y: (top + bottom) / 2 }, scale };
      this.place(panel, { x: 0, y: 0, zoom: 1 });
      panel.net.redraw();
    }
    this.say();
  }

  destroy() {
    this.watch.disconnect();
    this.networks.forEach(net => net.destroy());
  }
}

// Load the fonts before the canvases are painted.
function faces(data) {
  const written = "a" + data.panels.flatMap(panel => panel.nodes.map(node => node.label)).join("");
  return Promise.allSettled(["500 13px", "600 14px"].map(face => document.fonts.load(`${face} ${data.font}`, written)));
}
