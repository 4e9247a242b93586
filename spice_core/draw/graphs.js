// A drawing with panels side by side or stacked. Each panel shows a picture (SVG) from Python, which can be moved, enlarged and clicked.
const MIN_SCALE_BESIDE = 0.84, MAX_SCALE = 1.1, MAX_ZOOM_SCALE = 4;  // scales: minimum side by side, maximum initially, maximum by zoom
const PAGE_MARGIN_PX = 520;  // height of the page above and below the drawing
const DRAG_PX = 4;  // a pointer that moves further drags the picture instead of clicking
const LOCK = '<svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true"><path d="M4 7V5a4 4 0 0 1 8 0v2M3 7h10v7H3z" fill="none" stroke="currentColor" stroke-width="1.5"/></svg>';
const DIRECTIONS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

function element(name, properties = {}, ...children) {
  const created = Object.assign(document.createElement(name), properties);
  created.append(...children);
  return created;
}

const parseSvg = text => document.importNode(new DOMParser().parseFromString(text, "text/html").querySelector("svg"), true);
const nodeOf = target => target.closest?.(".node");

class Graphs {
  // `select(id)` is called with the id of the clicked node or of the node that a clicked line belongs to, or "" for the background.
  // If there is a function `save(options)`, a form saves a picture of what is visible.
  constructor(root, select, save) {
    Object.assign(this, { root, select, save, focused: [], width: 0, locked: true });
    this.observer = new ResizeObserver(() => { if (root.clientWidth && root.clientWidth !== this.width) this.fit(); });
    this.observer.observe(root);
  }

  // Draw the data, or only update the focus if the data are already drawn.
  show(data) {
    if (this.data?.key !== data.key) {
      this.data = data;
      this.root.replaceChildren(...data.panels.map(panel => this.section(panel)));
      this.fit();
    }
    this.focus(data.focus ?? []);
  }

  section(panel) {
    const header = element("header", {}, element("h3", { textContent: panel.title }), element("span", { textContent: panel.note, title: panel.note }));
    if (!panel.nodes.length) return element("section", {}, header, element("p", { className: "empty", textContent: panel.empty }));
    const [smaller, larger, fit, lock] = this.data.buttons;
    const button = (text, title, onclick) => element("button", { type: "button", textContent: text, title, ariaLabel: `${title}: ${panel.title}`, onclick });
    panel.lock = button("", lock, () => this.toggleLock(panel));
    panel.lock.append(parseSvg(LOCK));
    panel.lock.hidden = this.data.panels.length < 2;
    header.append(element("nav", {}, button("−", smaller, () => this.zoom(panel, 0.8)), button("+", larger, () => this.zoom(panel, 1.25)),
      button(fit, fit, () => this.setView(panel, { x: 0, y: 0, zoom: 1 })), panel.lock));
    if (this.save && panel === this.data.panels.findLast(({ nodes }) => nodes.length)) header.append(...this.pictureForm());
    this.addPicture(panel);
    return element("section", {}, header, panel.picture);
  }

  // Return the button and the form that save a picture of what is visible.
  pictureForm() {
    const { picture, format, width, legend, save, formats, widths } = this.data.picture;
    const choice = (name, title, options) => element("label", { textContent: title }, element("select", { name }, ...options.map(([value, label]) => element("option", { value, textContent: label }))));
    const form = element("form", { popover: "auto" }, choice("format", format, formats), choice("width", width, widths),
      element("label", { textContent: legend }, element("input", { type: "checkbox", name: "legend", checked: true })), element("button", { textContent: save }));
    const button = element("button", { type: "button", textContent: "↓", title: picture, ariaLabel: picture, popoverTargetElement: form });
    form.onbeforetoggle = () => {
      const { bottom, right } = button.getBoundingClientRect();
      form.style.inset = `${bottom + 4}px ${innerWidth - right}px auto auto`;
    };
    form.onkeydown = event => event.stopPropagation();  // keep the shortcuts of the page from acting
    form.onsubmit = event => {
      event.preventDefault();
      form.hidePopover();
      this.save({ legend: false, ...Object.fromEntries(new FormData(form)), ...this.visiblePart() });
    };
    return [button, form];
  }

  // Return the views that the visitor changed, and the focused and faded nodes.
  visiblePart() {
    const { panels } = this.data, named = name => panels.flatMap(({ nodeElements = [] }) => nodeElements).filter(node => node.classList.contains(name)).map(node => node.dataset.id);
    const isChanged = ({ view }) => view && (view.x || view.y || view.zoom !== 1);
    return { views: panels.map(panel => isChanged(panel) ? panel.picture.getAttribute("viewBox").split(" ").map(Number) : null), focused: named("focus"), faded: named("far") };
  }

  addPicture(panel) {
    const picture = panel.picture = parseSvg(panel.svg);
    picture.classList.add("graph");
    picture.setAttribute("aria-label", panel.alt);
    panel.nodeElements = [...picture.querySelectorAll(".node")];
    panel.edgeElements = [...picture.querySelectorAll(".edge")];
    panel.nodeElements.forEach((node, i) => node.setAttribute("tabindex", i ? -1 : 0));
    picture.addEventListener("wheel", event => this.wheel(panel, event), { passive: false });
    picture.addEventListener("pointerdown", ({ clientX, clientY }) => { panel.drag = { x: clientX, y: clientY, view: panel.view, isMoved: false }; });
    picture.addEventListener("pointermove", event => this.drag(panel, event));
    picture.addEventListener("click", ({ target }) => {
      if (!panel.drag?.isMoved) this.select(nodeOf(target)?.dataset.id ?? target.closest(".edge")?.dataset.owner ?? "");
    });
    picture.addEventListener("keydown", event => this.press(panel, event));
  }

  // Choose the node with the keyboard focus by Enter or Space, or move the keyboard focus to the next node in a direction.
  press(panel, event) {
    const node = nodeOf(event.target), [x, y] = DIRECTIONS[event.key] ?? [];
    if (event.key === "Enter" || event.key === " ") this.select(node.dataset.id);
    else if (x === undefined) return;
    else {
      const start = node.getScreenCTM(), distance = other => {
        const { e, f } = other.getScreenCTM(), along = (e - start.e) * x + (f - start.f) * y, across = (e - start.e) * y + (f - start.f) * x;
        return along > 1 ? along + 2 * Math.abs(across) : Infinity;
      };
      const next = panel.nodeElements.reduce((best, other) => distance(other) < distance(best) ? other : best, node);
      node.setAttribute("tabindex", -1);
      next.setAttribute("tabindex", 0);
      next.focus();
    }
    event.preventDefault();
    event.stopPropagation();  // keep the shortcuts of the page from acting
  }

  // Move the picture with the mouse. Fingers scroll the page.
  drag(panel, event) {
    if (!panel.drag || event.buttons !== 1 || event.pointerType === "touch") return;
    const { x, y, view, isMoved } = panel.drag, scale = panel.home.scale * view.zoom;
    if (!isMoved && Math.hypot(event.clientX - x, event.clientY - y) < DRAG_PX) return;
    panel.drag.isMoved = true;
    panel.picture.setPointerCapture(event.pointerId);
    this.setView(panel, { ...view, x: view.x - (event.clientX - x) / scale, y: view.y - (event.clientY - y) / scale });
  }

  // Toggle whether both panels move together. If they do, the other panel adopts the view of this one.
  toggleLock(panel) {
    this.locked = !this.locked;
    this.showLock();
    if (this.locked) this.setView(panel, panel.view);
  }

  showLock() {
    for (const { lock } of this.data.panels) lock?.setAttribute("aria-pressed", this.locked);
  }

  // Zoom by the wheel if Ctrl is pressed, the drawing is enlarged, or the wheel turns up at the top of the page. Else, the page scrolls.
  wheel(panel, event) {
    const isScrolled = (document.querySelector('[data-testid="stMain"]') ?? document.scrollingElement).scrollTop > 1;
    if (!event.ctrlKey && panel.view.zoom <= 1.001 && (event.deltaY > 0 || isScrolled)) return;
    event.preventDefault();
    const box = panel.picture.getBoundingClientRect();
    const offset = { x: event.clientX - box.left - box.width / 2, y: event.clientY - box.top - box.height / 2 };
    this.zoom(panel, Math.exp(-Math.max(-100, Math.min(100, event.deltaY)) / 400), offset);
  }

  // Scale the picture around a point, given by its distance from the centre of the panel.
  zoom(panel, factor, offset) {
    const { home, view } = panel, zoom = Math.max(0.5, Math.min(MAX_ZOOM_SCALE / home.scale, view.zoom * factor));
    const moved = axis => view[axis] + (offset?.[axis] ?? 0) / home.scale * (1 / view.zoom - 1 / zoom);
    this.setView(panel, zoom > 1 || factor > 1 || !offset ? { x: moved("x"), y: moved("y"), zoom } : { x: 0, y: 0, zoom: 1 });
  }

  // Move a panel by x and y and enlarge it by `zoom`, relative to its initial view. Locked panels move together.
  setView(panel, view) {
    for (const each of this.data.panels) if (each.picture && (this.locked || each === panel)) this.place(each, view);
  }

  place(panel, view) {
    const { x, y, scale, width, height } = panel.home, w = width / scale / view.zoom, h = height / scale / view.zoom;
    panel.view = view;
    panel.picture.setAttribute("viewBox", `${x + view.x - w / 2} ${y + view.y - h / 2} ${w} ${h}`);
  }

  // Highlight nodes and their neighbours. With `only`, only the neighbours of relations are highlighted.
  focus(ids, only = false) {
    const nodes = new Map(this.data.panels.flatMap(panel => panel.nodes).map(node => [node.id, node]));
    const edges = this.data.panels.flatMap(panel => panel.edgeElements ?? []).map(edge => edge.dataset);
    const isRelation = id => nodes.get(id).kind === "relation", near = new Set();
    this.focused = ids.filter(id => nodes.has(id));
    const spreads = id => this.focused.includes(id) && (!only || isRelation(id));
    for (const { from, to } of edges) {
      if (spreads(from)) near.add(to);
      if (spreads(to)) near.add(from);
    }
    const direct = new Set(only ? [] : near);
    for (const { from, to, owner } of edges) {  // both ends of a relation near the focus are near
      if (isRelation(owner) && direct.has(owner)) near.add(owner === from ? to : from);
    }
    const isFar = id => this.focused.length > 0 && !this.focused.includes(id) && !near.has(id);
    for (const { nodeElements = [], edgeElements = [] } of this.data.panels) {
      for (const node of nodeElements) {
        node.classList.toggle("focus", this.focused.includes(node.dataset.id));
        node.classList.toggle("far", isFar(node.dataset.id));
      }
      for (const edge of edgeElements) edge.classList.toggle("far", isFar(edge.dataset.from) || isFar(edge.dataset.to));
    }
  }

  // Scroll nodes into view, within an enlarged panel and on the screen.
  reveal(ids) {
    const median = numbers => numbers.sort((a, b) => a - b)[numbers.length >> 1];
    for (const panel of this.data.panels) {
      const nodes = (panel.nodeElements ?? []).filter(node => ids.includes(node.dataset.id));
      if (!nodes.length) continue;
      const points = nodes.map(node => node.transform.baseVal[0].matrix), x = median(points.map(({ e }) => e)), y = median(points.map(({ f }) => f));
      if (panel.view.zoom > 1) this.setView(panel, { x: x - panel.home.x, y: y - panel.home.y, zoom: panel.view.zoom });
      const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
      nodes.find(node => node.transform.baseVal[0].matrix.f === y).scrollIntoView({ block: "nearest", behavior });
    }
  }

  // Fit each panel to its graph: side by side, both show the full layout; stacked, each shows only its part.
  fit() {
    const { root, data } = this, width = root.clientWidth;
    this.width = width;
    if (!width || !data) return;
    const isPair = data.panels.length > 1, half = (width - 16) / 2 - 2, pictures = data.panels.filter(panel => panel.picture);
    const isBeside = isPair && half / data.extents[2] >= MIN_SCALE_BESIDE;
    const maxHeight = data.maxHeight ? Math.max(data.maxHeight, innerHeight - PAGE_MARGIN_PX) : Infinity;
    root.classList.toggle("wide", isPair && (isBeside || (!pictures.length && width >= 560)));
    for (const panel of pictures) {
      const [left, top, right, bottom] = isBeside ? data.extents : panel.extents, room = isBeside ? half : width - 2;
      const scale = Math.min(MAX_SCALE, room / (right - left), maxHeight / (bottom - top)), height = Math.ceil(Math.max(120, (bottom - top) * scale));
      panel.picture.style.height = `${height}px`;
      panel.home = { x: (left + right) / 2, y: (top + bottom) / 2, scale, width: room, height };
      this.place(panel, { x: 0, y: 0, zoom: 1 });
    }
    this.showLock();
  }

  destroy() { this.observer.disconnect(); }
}
