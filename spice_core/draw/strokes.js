// Draw nodes and edges on a canvas, with sizes from Python.
const DIAMOND = 13;

const outline = {
  object(ctx, w, h, inset) { ctx.roundRect(-w / 2 + inset, -h / 2 + inset, w - 2 * inset, h - 2 * inset, Math.max(0, 8 - inset)); },
  attribute(ctx, w, h, inset) { ctx.roundRect(-w / 2 + inset, -h / 2 + inset, w - 2 * inset, h - 2 * inset, h / 2 - inset); },
  relation(ctx, w, h, inset) {
    const r = DIAMOND - inset * 1.4;
    ctx.moveTo(0, -r); ctx.lineTo(r, 0); ctx.lineTo(0, r); ctx.lineTo(-r, 0); ctx.closePath();
  },
};

const marks = {
  exact(ctx) { ctx.moveTo(-4.5, 0.5); ctx.lineTo(-1.5, 3.5); ctx.lineTo(4.5, -4); },
  synonym(ctx) { for (const y of [-2.2, 2.2]) { ctx.moveTo(-4.5, y + 0.8); ctx.bezierCurveTo(-2, y - 2.6, 1.5, y + 3, 4.5, y - 0.8); } },
  extra(ctx) { ctx.moveTo(-4.5, 0); ctx.lineTo(4.5, 0); ctx.moveTo(0, -4.5); ctx.lineTo(0, 4.5); },
  entailed(ctx) { for (const y of [-1.7, 1.7]) { ctx.moveTo(-5, y); ctx.lineTo(2, y); } ctx.moveTo(0.6, -4.4); ctx.lineTo(5, 0); ctx.lineTo(0.6, 4.4); },
  contradicted(ctx) { for (const y of [-1.7, 1.7]) { ctx.moveTo(-4.5, y); ctx.lineTo(4.5, y); } ctx.moveTo(2.5, -4.5); ctx.lineTo(-2.5, 4.5); },
  missing(ctx) { ctx.moveTo(-4, 0); ctx.lineTo(4, 0); },
};

const dashes = { contradicted: [10, 3], extra: [6, 4], missing: [1.5, 3] };
const bold = state => state === "exact" || state === "synonym";
const lines = node => node.label.split("\n");
const counted = node => node.badge ? node.badge.length * 6.6 + 6 : 0;

function path(ctx, draw, x, y, size = 1) {
  ctx.save(); ctx.translate(x, y); ctx.scale(size, size); ctx.beginPath(); draw(ctx); ctx.restore();
}

// Return the functions that draw nodes and edges in the colours of `palette`; `light(id)` returns focus, near or far.
function strokes(palette, { font, leading, light }) {
  const step = face => parseFloat(face.split(" ")[1]) * leading;

  function border(ctx, node, x, y) {
    const { kind, state, wide: w, high: h } = node;
    const line = inset => path(ctx, c => outline[kind](c, w, h, inset), x, y);
    if (light(node.id) === "focus") {
      line(kind === "relation" ? -2.5 : -5); ctx.strokeStyle = palette.accent; ctx.lineWidth = 2.5; ctx.stroke();
    }
    line(0);
    ctx.fillStyle = state === "missing" || !state ? palette.surface : palette[kind + "-fill"];
    ctx.fill();
    ctx.strokeStyle = state ? palette[kind] : palette.line;
    ctx.lineWidth = bold(state) ? 2.5 : 1.5;
    ctx.lineCap = "butt";
    ctx.setLineDash(dashes[state] ?? []);
    ctx.stroke();
    ctx.setLineDash([]);
    if (state === "synonym") { line(kind === "relation" ? 3 : 4); ctx.lineWidth = 1; ctx.stroke(); }
  }

  function mark(ctx, node, x, y, size) {
    if (!node.state || node.state === "plain") return;
    if (node.state === "partial") {
      ctx.textAlign = "center"; ctx.textBaseline = "middle"; ctx.fillStyle = palette[node.kind];
      ctx.font = `600 ${13 * size}px ${font}`;
      ctx.fillText("½", x, y + 0.5);
      return;
    }
    path(ctx, marks[node.state], x, y, size);
    ctx.strokeStyle = palette[node.kind];
    ctx.lineWidth = 2;
    ctx.lineCap = ctx.lineJoin = "round";
    ctx.stroke();
  }

  function text(ctx, words, face, colour, x, y, room) {
    ctx.font = `${face} ${font}`;
    ctx.fillStyle = colour;
    ctx.textAlign = "left";
    ctx.textBaseline = "middle";
    ctx.fillText(words, x, y, room);
    return Math.min(ctx.measureText(words).width, room);
  }

  // Draw the lines of a label, centred at y, and the count of captions after the last line, within `room`.
  function label(ctx, node, face, x, y, room) {
    const colour = node.state === "missing" || !node.state ? palette.muted : palette.ink;
    const badge = counted(node), all = lines(node);
    let used, at = y - (all.length - 1) / 2 * step(face);
    for (const line of all) { used = text(ctx, line, face, colour, x, at, line === all.at(-1) ? room - badge : room); at += step(face); }
    if (badge) text(ctx, node.badge, "500 11px", palette.muted, x + used + 6, at - step(face) + 0.5, badge - 4);
  }

  function width(ctx, node, face) {
    ctx.font = `${face} ${font}`;
    const widths = lines(node).map(line => ctx.measureText(line).width);
    widths[widths.length - 1] += counted(node);
    return Math.min(Math.max(...widths), node.wide - 6);
  }

  function boxed(ctx, node, face, x, y) {
    border(ctx, node, x, y);
    const before = node.state && node.state !== "plain" ? 17 : 0, wide = Math.min(width(ctx, node, face), node.wide - 14 - before) + before, left = x - wide / 2;
    mark(ctx, node, left + 6, y, 1);
    label(ctx, node, face, left + before, y + 0.5, node.wide - 31);
  }

  const draw = {
    bend() {},
    object(ctx, node, x, y) { boxed(ctx, node, "600 14px", x, y); },
    attribute(ctx, node, x, y) { boxed(ctx, node, "500 13px", x, y); },
    relation(ctx, node, x, y) {
      border(ctx, node, x, y);
      mark(ctx, node, x, y, 0.9);
      const face = "500 13px", wide = width(ctx, node, face), top = y + DIAMOND + 2, more = (lines(node).length - 1) * step(face);
      path(ctx, c => c.roundRect(-wide / 2 - 3, 0, wide + 6, 17 + more, 4), x, top);
      const alpha = ctx.globalAlpha;  // an opaque background: no line shows through the label
      ctx.globalAlpha = 1; ctx.fillStyle = palette.surface; ctx.fill(); ctx.globalAlpha = alpha;
      label(ctx, node, face, x - wide / 2, top + 8.5 + more / 2, node.wide);
    },
  };

  return {
    node(node) {
      const size = node.kind === "bend" ? [0.1, 0.1] : node.kind === "relation" ? [2 * DIAMOND, 2 * DIAMOND] : [node.wide, node.high];
      const ctxRenderer = ({ ctx, x, y }) => ({
        drawNode() {
          ctx.save();
          const faint = light(node.id) === "far" ? 0.35 : node.context && light(node.id) !== "focus" ? 0.65 : 1;
          if (faint < 1 && outline[node.kind]) {  // an opaque background, so that lines do not show through
            path(ctx, c => outline[node.kind](c, node.wide, node.high, 0), x, y); ctx.fillStyle = palette.surface; ctx.fill();
          }
          ctx.globalAlpha = faint;
          draw[node.kind](ctx, node, x, y);
          ctx.restore();
        },
        nodeDimensions: { width: size[0], height: size[1] },
      });
      return { ...node, label: undefined, ctxRenderer };
    },
    edge(edge) {
      const far = light(edge.from) === "far" || light(edge.to) === "far", strong = bold(edge.state);
      const opacity = far ? 0.3 : strong ? 1 : 0.75;
      return { ...edge, color: { color: palette[edge.kind], opacity }, width: strong ? 2 : 1.2, dashes: dashes[edge.state] ?? false };
    },
  };
}
