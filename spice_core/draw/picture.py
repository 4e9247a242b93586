"""Pictures of drawings for papers: SVG, PDF and PNG in the width of one or two columns, with embedded fonts and a legend."""

from __future__ import annotations

import base64
import io
import math
import tempfile
import threading
import xml.etree.ElementTree as ET
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from spice_core.draw import style as styles
from spice_core.draw.frame import GraphPanel
from spice_core.draw.labels import text_width
from spice_core.draw.layout import GraphLayout
from spice_core.draw.network import NETWORK_VIEWS, network_of_view, result_networks
from spice_core.draw.screen import fit_width
from spice_core.draw.shapes import add_element, draw_legend, format_number
from spice_core.draw.style import PLAIN, DisplayStyle
from spice_core.draw.svg import describe_view, draw_graph, graph_extents, make_root
from spice_core.errors import InputError, Message, UnknownNameError, require_module
from spice_core.metrics.result import SpiceResult

PICTURE_FORMATS = ("svg", "pdf", "png")
ONE_COLUMN_MM, TWO_COLUMNS_MM = 84, 174
_PX_PER_MM, _LAYOUT_PX_PER_MM = 96 / 25.4, 440 / ONE_COLUMN_MM  # pixels per mm in CSS, and in layouts with letters of at least 7 points
_MIN_SIDE_BY_SIDE_WIDTH_MM = 120  # minimum width of side-by-side graphs
_HEADER_PX, _GAP_PX, _MIN_BODY_PX, _FADED_OPACITY = 38, 16, 72, "0.35"
_MISSING_CHARACTER = "□"  # replaces characters missing in all fonts, in PDF and PNG
_PDFIUM_LOCK = threading.Lock()  # PDFium supports one thread at a time


@dataclass(frozen=True)
class PictureOptions:
    """A picture's format, width and legend, the pixels of a PNG per CSS pixel, and the visible part of the drawing.

    ``views`` are left, top, width and height of the visible part of each panel, or None for the complete graph. ``focused`` nodes have a
    ring, and ``faded`` nodes are transparent.

    Raises UnknownNameError if the format is unknown, and InputError if a width, height or scale is not positive and finite.
    """

    format: str = "svg"
    width_mm: float = TWO_COLUMNS_MM
    legend: bool = True
    scale: float = 3
    views: Sequence[Sequence[float] | None] = (None, None)
    focused: Collection[str] = ()
    faded: Collection[str] = ()

    def __post_init__(self) -> None:
        if self.format not in PICTURE_FORMATS:
            raise UnknownNameError(Message("kind.format"), self.format, PICTURE_FORMATS)
        for name, value in [
            ("width_mm", self.width_mm),
            ("scale", self.scale),
            *(("views", size) for v in self.views if v for size in v[2:]),
        ]:
            if not 0 < value < math.inf:
                raise InputError(name, str(value), Message("expected.positive"))


def draw(result: SpiceResult, style: DisplayStyle = PLAIN, *, view: str = "both", **options: Any) -> bytes:
    """Return the graphs of a result as a picture with embedded fonts: ``draw(result, format="pdf", width_mm=84)``.

    Args:
        result: A result of ``Spice``.
        style: Colours and texts.
        view: ``both`` or one of NETWORK_VIEWS. In narrow pictures of both graphs, one graph is below the other.
        options: ``format`` (one of PICTURE_FORMATS), ``width_mm``, ``legend`` and ``scale`` of PictureOptions.

    Raises UnknownNameError, InputError, and MissingResourceError if a package of the extra ``pictures`` is missing.
    """
    picture, views = PictureOptions(**options), NETWORK_VIEWS[:2] if view == "both" else (view,)
    networks = result_networks(result, implicit_subject=style.format_text("tuples.implicit_subject"))
    columns = 2 if len(views) > 1 and picture.width_mm >= _MIN_SIDE_BY_SIDE_WIDTH_MM else 1
    layout_px = picture.width_mm * _LAYOUT_PX_PER_MM / columns
    graphs, layout = fit_width([network_of_view(*networks, name) for name in views], layout_px)
    panels = [
        GraphPanel(
            graph,
            style.format_text(f"graphs.{name}"),
            alt=describe_view(result, name, style),
            empty_text=style.format_text(f"graphs.none_{'candidate' if name == 'union' else name}"),
        )
        for graph, name in zip(graphs, views)
    ]
    return render_picture(panels, layout, style, picture)


def render_picture(panels: Sequence[GraphPanel], layout: GraphLayout, style: DisplayStyle, options: PictureOptions) -> bytes:
    """Return the visible part of a drawing as a picture. Raises MissingResourceError as ``draw`` does."""
    root = _draw_figure(panels, layout, style, options)
    text = _MISSING_CHARACTER + "".join("".join(element.itertext()) for element in root.iter("text"))
    fonts = {weight: _make_font(text, weight) for weight in (500, 600)}
    if options.format == "svg":
        root.insert(2, css := ET.Element("style"))
        css.text = "".join(
            f"@font-face{{font-family:Inter;font-weight:{weight};src:url(data:font/ttf;base64,{base64.b64encode(font).decode()})}}"
            for weight, font in fonts.items()
        )
        return ET.tostring(root)
    pdf = _convert_to_pdf(root, fonts)
    return pdf if options.format == "pdf" else _convert_to_png(pdf, options.scale)


def _draw_figure(panels: Sequence[GraphPanel], layout: GraphLayout, style: DisplayStyle, options: PictureOptions) -> ET.Element:
    """Return the framed graphs with titles, side by side or one below the other, and the legend below them."""
    is_beside = len(panels) > 1 and options.width_mm >= _MIN_SIDE_BY_SIDE_WIDTH_MM
    boxes = [graph_extents(panel.graph, layout) for panel in panels]
    boxes = [(0, 0, layout.width, box[1] + box[3]) for box in boxes] if is_beside else boxes
    columns = len(panels) if is_beside else 1
    panel_width = max(*(box[2] for box in boxes), (options.width_mm * _PX_PER_MM - 2 - (columns - 1) * _GAP_PX) / columns)
    figure, x, y, bottom = ET.Element("g"), 1.0, 1.0, 0.0
    for panel, (left, top, width, height), view in zip(panels, boxes, options.views):
        view = view or (left + (width - panel_width) / 2, top, panel_width, max(height, _MIN_BODY_PX))
        group = add_element(figure, "g", transform=f"translate({format_number(x)} {format_number(y)})")
        _show_focus(_draw_panel(group, panel, layout, style, view, panel_width, f"clip{len(figure)}"), options)
        bottom = max(bottom, y + _HEADER_PX + view[3] * panel_width / view[2])
        x, y = (x + panel_width + _GAP_PX, y) if is_beside else (x, bottom + _GAP_PX)
    width = columns * panel_width + (columns - 1) * _GAP_PX + 2
    if options.legend:
        legend = add_element(figure, "g", transform=f"translate(2 {format_number(bottom + _GAP_PX)})")
        bottom += draw_legend(legend, [node for panel in panels for _, node in panel.graph.nodes(data=True)], style, width) + _GAP_PX
    size, title = (0, 0, width, bottom + 1), " · ".join(panel.title for panel in panels)
    root = make_root(size, style, title=title, description="\n".join(panel.alt for panel in panels), name="figure")
    root.attrib |= {"width": f"{options.width_mm:g}mm", "height": f"{options.width_mm * size[3] / width:.2f}mm"}
    root.append(figure)
    return root


def _draw_panel(
    group: ET.Element, panel: GraphPanel, layout: GraphLayout, style: DisplayStyle, view: Sequence[float], width: float, clip_id: str
) -> ET.Element:
    """Draw a frame with a title above part of a graph. Return the element with its lines and nodes."""
    colours, scale = style.colours, width / view[2]
    height, note_left = view[3] * scale, text_width(panel.title, 15) + 28
    add_element(group, "text", panel.title, x=16, y=25, fill=colours["ink"], font_size=15, font_weight=600)
    if note_left + text_width(panel.note, 12) < width:
        add_element(group, "text", panel.note, x=note_left, y=25, fill=colours["muted"], font_size=12, font_weight=500)
    clip = add_element(add_element(group, "defs"), "clipPath", id=clip_id)
    add_element(clip, "rect", y=_HEADER_PX, width=width, height=height)
    body = add_element(add_element(group, "g", clip_path=f"url(#{clip_id})"), "g")
    body.set("transform", f"matrix({scale:.5g} 0 0 {scale:.5g} {-view[0] * scale:.2f} {_HEADER_PX - view[1] * scale:.2f})")
    if len(panel.graph):
        draw_graph(body, panel.graph, layout, style, "", is_interactive=True)
    else:
        centre = {"x": width / 2, "y": _HEADER_PX + height / 2 + 5, "text_anchor": "middle"}
        add_element(group, "text", panel.empty_text, **centre, fill=colours["muted"], font_size=13, font_weight=500)
    add_element(group, "path", d=f"M0 {_HEADER_PX}H{format_number(width)}", stroke=colours["line"])
    add_element(group, "rect", width=width, height=height + _HEADER_PX, rx=10, fill="none", stroke=colours["line"])
    return body


def _show_focus(body: ET.Element, options: PictureOptions) -> None:
    """Ring the focused nodes, fade other nodes and lines, and remove elements only for screens."""
    for group in body:
        group.remove(group[0])  # the line that reacts to clicks, or the tooltip
        ring, faded_part = group.find("*[@class='ring']"), group
        if ring is not None:
            faded_part = group[-1]
            group.remove(ring)
            if group.get("data-id") in options.focused:
                del ring.attrib["display"]
                group.insert(0, ring)
        names = {group.attrib.pop(name, "") for name in ("data-from", "data-to", "role", "data-owner")} | {group.get("data-id", "")}
        if not names.isdisjoint(options.faded):
            faded_part.set("opacity", _FADED_OPACITY)


def _convert_to_pdf(root: ET.Element, fonts: Mapping[int, bytes]) -> bytes:
    """Convert an SVG picture to a one-page PDF with these fonts by weight."""
    fpdf, svg = (_require(name) for name in ("fpdf", "fpdf.svg"))

    def build_group(converter: Any, group: ET.Element, *arguments: Any) -> Any:
        built = svg.SVGObject.build_group(converter, group, *arguments)
        converter.apply_clipping_path(built, group)  # the base class clips only shapes and texts
        return built

    width, height = (float(root.attrib[side].removesuffix("mm")) for side in ("width", "height"))
    document = fpdf.FPDF(unit="mm", format=(width, height))
    for tag, set_property in (("title", document.set_title), ("desc", document.set_subject)):
        set_property(root.findtext(tag))
        root.remove(next(root.iter(tag)))
    for parent in list(root.iter()):
        for label in parent.findall("text[@text-decoration]"):  # the converter does not draw lines through text
            x, y, size = (float(label.attrib[name]) for name in ("x", "y", "font-size"))
            length = text_width(label.text or "", size)
            start = x - length / 2 if "text-anchor" in label.attrib else x
            add_element(parent, "path", d=f"M{start:.2f} {y - 0.3 * size:.2f}h{length:.2f}", stroke=label.attrib["fill"])
    document.set_margin(0)
    document.set_auto_page_break(False)
    document.add_page()
    with tempfile.TemporaryDirectory() as folder:
        for weight, font in fonts.items():
            (path := Path(folder, f"{weight}.ttf")).write_bytes(font)
            document.add_font("Inter", "B" if weight == 600 else "", path)
        covered = document.fonts["inter"].cmap
        for element in root.iter():
            element.text = "".join(c if ord(c) in covered else _MISSING_CHARACTER for c in element.text or "")
        type("Converter", (svg.SVGObject,), {"build_group": build_group})(ET.tostring(root)).draw_to_page(document)
        return bytes(document.output())


def _make_font(text: str, weight: int) -> bytes:
    """Return a TrueType font of one weight with the characters of a text."""
    merge, subset, instancer, scaling = (
        _require(f"fontTools.{name}") for name in ("merge", "subset", "varLib.instancer", "ttLib.scaleUpem")
    )
    options, parts = subset.Options(layout_features=[], notdef_outline=True), []
    options.drop_tables += ["GPOS", "GSUB", "GDEF", "STAT", "vhea", "vmtx"]
    for path in styles.font_files(text):
        subsetter = subset.Subsetter(options)
        subsetter.populate(text=text)
        subsetter.subset(font := subset.load_font(io.BytesIO(_unpack_font(path)), options))
        instancer.instantiateVariableFont(font, {"wght": weight}, inplace=True)
        scaling.scale_upem(font, 1000)  # the fonts differ in their units
        font.save(part := io.BytesIO())
        parts.append(part)
    merge.Merger().merge(parts).save(file := io.BytesIO())
    return file.getvalue()


@cache
def _unpack_font(path: Path) -> bytes:
    _require("brotli")
    font = _require("fontTools.ttLib").TTFont(path)
    font.flavor = None
    font.save(file := io.BytesIO())
    return file.getvalue()


def _require(module: str) -> Any:
    return require_module(module, 'pip install ".[pictures]"')


def _convert_to_png(pdf: bytes, scale: float) -> bytes:
    """Return the page of a PDF as PNG with ``scale`` pixels for each CSS pixel."""
    with _PDFIUM_LOCK, _require("pypdfium2").PdfDocument(pdf) as document:
        image = document[0].render(scale=scale * 96 / 72).to_pil()
    image.save(file := io.BytesIO(), "PNG", dpi=(96 * scale, 96 * scale), optimize=True)
    return file.getvalue()
