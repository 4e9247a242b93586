// Draws both networks. Every measure comes from Python; here are only the strokes.
const DATA = JSON.parse(document.getElementById("data").textContent);
const app = () => { try { return window.parent !== window && parent.document.querySelector('[data-testid="stApp"]'); } catch { return null; } };
const SMALLEST = 0.7, DIAMOND = 13;
let palette, networks = [];

function theme() {
  const around = app();
  if (around) return getComputedStyle(around).colorScheme.includes("dark") ? "dark" : "light";
  if (DATA.theme !== "auto") return DATA.theme;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

const outline = {
  object(ctx, w, h, inset) { ctx.roundRect(-w / 2 + inset, -h / 2 + inset, w - 2 * inset, h - 2 * inset, 8 - inset); },
  attribute(ctx, w, h, inset) { ctx.roundRect(-w / 2 + inset, -h / 2 + inset, w - 2 * inset, h - 2 * inset, h / 2 - inset); },
  relation(ctx, w, h, inset) {
    const r = DIAMOND - inset * 1.4;
    ctx.moveTo(0, -r); ctx.lineTo(r, 0); ctx.lineTo(0, r); ctx.lineTo(-r, 0); ctx.closePath();
  },
};

const marks = {
  same(ctx) { ctx.moveTo(-4.5, 0.5); ctx.lineTo(-1.5, 3.5); ctx.lineTo(4.5, -4); },
  synonym(ctx) { for (const y of [-2.2, 2.2]) { ctx.moveTo(-4.5, y + 0.8); ctx.bezierCurveTo(-2, y - 2.6, 1.5, y + 3, 4.5, y - 0.8); } },
  extra(ctx) { ctx.moveTo(-4.5, 0); ctx.lineTo(4.5, 0); ctx.moveTo(0, -4.5); ctx.lineTo(0, 4.5); },
  missing(ctx) { ctx.moveTo(-4, 0); ctx.lineTo(4, 0); },
};

const dashes = { extra: [6, 4], missing: [1.5, 3] };

function path(ctx, draw, x, y, size = 1) {
  ctx.save(); ctx.translate(x, y); ctx.scale(size, size); ctx.beginPath(); draw(ctx); ctx.restore();
}

function border(ctx, node, x, y) {
  const { kind, state, wide: w, high: h } = node, bold = state === "same" || state === "synonym";
  const line = inset => path(ctx, c => outline[kind](c, w, h, inset), x, y);
  line(0);
  ctx.fillStyle = state === "missing" || !state ? palette.surface : palette[kind + "-fill"];
  ctx.fill();
  ctx.strokeStyle = state ? palette[kind] : palette.line;
  ctx.lineWidth = bold ? 2.5 : 1.5;
  ctx.lineCap = "butt";
  ctx.setLineDash(dashes[state] ?? []);
  ctx.stroke();
  ctx.setLineDash([]);
  if (state === "synonym") { line(kind === "relation" ? 3 : 4); ctx.lineWidth = 1; ctx.stroke(); }
}

function mark(ctx, node, x, y, size) {
  if (!node.state) return;
  if (node.state === "partial") {
    ctx.textAlign = "center"; ctx.textBaseline = "middle"; ctx.fillStyle = palette[node.kind];
    ctx.font = `600 ${13 * size}px ${DATA.font}`;
    ctx.fillText("½", x, y + 0.5);
    return;
  }
  path(ctx, marks[node.state], x, y, size);
  ctx.strokeStyle = palette[node.kind];
  ctx.lineWidth = 2;
  ctx.lineCap = ctx.lineJoin = "round";
  ctx.stroke();
}

function text(ctx, words, font, colour, x, y, room) {
  ctx.font = `${font} ${DATA.font}`;
  ctx.fillStyle = colour;
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  ctx.fillText(words, x, y, room);
  return Math.min(ctx.measureText(words).width, room);
}

const counted = node => node.badge ? node.badge.length * 6.6 + 6 : 0;
const lines = node => node.label.split("\n");
const leading = font => parseFloat(font.split(" ")[1]) * DATA.leading;

// The lines of the label, the middle one at y, and behind the last the small count of captions, within the room measured for them.
function label(ctx, node, font, x, y, room) {
  const colour = node.state === "missing" || !node.state ? palette.muted : palette.ink;
  const badge = counted(node), all = lines(node);
  let used, at = y - (all.length - 1) / 2 * leading(font);
  for (const line of all) { used = text(ctx, line, font, colour, x, at, line === all.at(-1) ? room - badge : room); at += leading(font); }
  if (badge) text(ctx, node.badge, "500 11px", palette.muted, x + used + 6, at - leading(font) + 0.5, badge - 4);
}

function width(ctx, node, font) {
  ctx.font = `${font} ${DATA.font}`;
  const widths = lines(node).map(line => ctx.measureText(line).width);
  widths[widths.length - 1] += counted(node);
  return Math.min(Math.max(...widths), node.wide - 6);
}

const draw = {
  bend() {},
  object(ctx, node, x, y) { boxed(ctx, node, "600 14px", x, y); },
  attribute(ctx, node, x, y) { boxed(ctx, node, "500 13px", x, y); },
  relation(ctx, node, x, y) {
    border(ctx, node, x, y);
    mark(ctx, node, x, y, 0.9);
    const wide = width(ctx, node, "500 13px"), top = y + DIAMOND + 2, more = (lines(node).length - 1) * leading("500 13px");
    path(ctx, c => c.roundRect(-wide / 2 - 3, 0, wide + 6, 17 + more, 4), x, top);
    ctx.globalAlpha = 0.86; ctx.fillStyle = palette.surface; ctx.fill(); ctx.globalAlpha = 1;
    label(ctx, node, "500 13px", x - wide / 2, top + 8.5 + more / 2, node.wide);
  },
};

function boxed(ctx, node, font, x, y) {
  border(ctx, node, x, y);
  const before = node.state ? 17 : 0, wide = width(ctx, node, font) + before, left = x - wide / 2;
  mark(ctx, node, left + 6, y, 1);
  label(ctx, node, font, left + before, y + 0.5, node.wide - 31);
}

function renderer(node) {
  const size = node.kind === "bend" ? [0.1, 0.1] : node.kind === "relation" ? [2 * DIAMOND, 2 * DIAMOND] : [node.wide, node.high];
  return ({ ctx, x, y }) => ({
    drawNode() { ctx.save(); draw[node.kind](ctx, node, x, y); ctx.restore(); },
    nodeDimensions: { width: size[0], height: size[1] },
  });
}

function edge(e) {
  const bold = e.state === "same" || e.state === "synonym";
  return { ...e, color: { color: palette[e.kind], opacity: bold ? 1 : 0.75 }, width: bold ? 2 : 1.2, dashes: dashes[e.state] ?? false };
}

function show() {
  document.documentElement.style.colorScheme = theme();
  palette = DATA.palettes[theme()];
  networks.forEach(n => n.destroy());
  networks = [...document.querySelectorAll("section[data-side]")].map(section => {
    const { nodes, edges } = DATA.panels[section.dataset.side];
    const data = { nodes: nodes.map(n => ({ ...n, label: undefined, ctxRenderer: renderer(n) })), edges: edges.map(edge) };
    const touch = matchMedia("(pointer: coarse)").matches;
    const options = { ...DATA.options, autoResize: false, interaction: { ...DATA.options.interaction, dragView: !touch, dragNodes: !touch } };
    const net = new vis.Network(section.querySelector(".canvas"), data, options);
    net.section = section;
    return net;
  });
  fit();
}

function fit() {
  const main = document.querySelector("main"), total = document.documentElement.clientWidth;
  const half = (total - 16) / 2 - 2;
  const wide = total >= 700 && half / DATA.width >= SMALLEST - 0.05;
  main.classList.toggle("wide", wide || !networks.length);
  const room = wide ? half : total - 2;
  const scale = Math.min(1.1, Math.max(SMALLEST - 0.05, room / DATA.width));
  for (const net of networks) {
    // Side by side both show the whole layout; one above the other each shows its own part of the height.
    const { top, bottom } = wide ? { top: 0, bottom: DATA.height } : DATA.panels[net.section.dataset.side];
    const size = [Math.max(room, DATA.width * scale), Math.max(120, (bottom - top) * scale)];
    Object.assign(net.section.querySelector(".canvas").style, { width: size[0] + "px", height: size[1] + "px" });
    net.setSize(size[0] + "px", size[1] + "px");
    net.redraw();
    net.home = { position: { x: DATA.width / 2, y: (top + bottom) / 2 }, scale, animation: false };
    home(net);
  }
  try { if (app()) window.frameElement.style.height = main.getBoundingClientRect().height + 2 + "px"; } catch { /* on its own */ }
}

function home(net) { net.moveTo(net.home); }

document.addEventListener("click", ({ target }) => {
  const net = networks.find(n => n.section.contains(target)), zoom = target.dataset.zoom;
  if (!net || !zoom) return;
  zoom === "fit" ? home(net) : net.moveTo({ scale: net.getScale() * (zoom === "larger" ? 1.25 : 0.8), animation: false });
});

let last = 0;
new ResizeObserver(() => { const now = document.documentElement.clientWidth; if (now && now !== last) { last = now; fit(); } }).observe(document.documentElement);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
if (app()) {
  let now = theme();
  const watch = new MutationObserver(() => { if (theme() !== now) { now = theme(); show(); } });
  watch.observe(app(), { attributes: true, attributeFilter: ["class", "style"] });
  addEventListener("pagehide", () => watch.disconnect());
}
const written = "a" + DATA.panels.flatMap(panel => panel.nodes.map(node => node.label)).join("");
Promise.allSettled(["500 13px", "600 14px"].map(f => document.fonts.load(`${f} ${DATA.font}`, written))).then(show);
