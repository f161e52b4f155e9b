"""Prints a document, as document.ts describes it, with fpdf2."""

from fpdf import FPDF
from fpdf.enums import TableBordersLayout
from fpdf.fonts import FontFace

DEJAVU = "/usr/share/fonts/truetype/dejavu"
BORDERS = {
    "grid": "ALL", "dashed": "ALL", "levels": "HORIZONTAL_LINES", "book": "SINGLE_TOP_LINE",
    "uprights": "INTERNAL", "frame": "NO_HORIZONTAL_LINES",
}


def rgb(colour):
    return tuple(int(colour[at:at + 2], 16) for at in (1, 3, 5))


class Page(FPDF):
    look = {}

    def header(self):
        if self.look["framed"]:
            inset = self.look["margin"] / 2
            self.rect(inset, inset, self.w - 2 * inset, self.h - 2 * inset)

    def footer(self):
        if self.look["running"]:
            self.set_y(-12)
            self.cell(0, 5, str(self.page_no()), align="C")


def write_table(pdf, table, look):
    fill = {"fill_color": rgb(look["pale"])} if table["look"] in ("head-fill", "blocks", "heat", "white-grid") else {}
    head = FontFace(emphasis="BOLD" if look["headingBold"] else "", **fill)
    options = {"cell_fill_color": rgb(look["pale"])} if table["look"] in ("zebra", "blocks", "heat", "white-grid") else {}
    mode = {"zebra": "EVEN_ROWS", "blocks": "ALL", "heat": "EVEN_COLUMNS", "white-grid": "ALL"}.get(table["look"], "NONE")
    align = tuple("RIGHT" if number else "LEFT" for number in table["numbers"])
    with pdf.table(
        borders_layout=getattr(TableBordersLayout, BORDERS.get(table["look"], "NONE")), headings_style=head, text_align=align,
        line_height=pdf.font_size * 1.4, padding=look["cellPadding"] / 3, num_heading_rows=table["headRows"],
        cell_fill_mode=mode, **options,
    ) as drawn:
        for source in table["rows"]:
            row = drawn.row()
            for cell in source:
                row.cell(cell["text"], colspan=cell["across"], rowspan=cell["down"])
    pdf.ln(pdf.font_size)


def write_heading(pdf, text, ratio, look):
    size = look["size"] * ratio
    pdf.set_font("body", "B" if look["headingBold"] else "", size)
    pdf.set_text_color(*rgb(look["headingColour"]))
    pdf.ln(look["size"] * 0.2)
    pdf.multi_cell(0, size * 0.42, text, align="C" if look["headingStyle"] == "centred" else "L", new_x="LMARGIN", new_y="NEXT")
    pdf.ln(look["size"] * 0.1)
    pdf.set_text_color(0, 0, 0)
    pdf.set_font("body", "", look["size"])


def write_block(pdf, block, look):
    kind, line = block["type"], look["size"] * 0.3528 * look["leading"]
    if kind == "title":
        write_heading(pdf, block["text"], look["headingSizes"][0], look)
    elif kind == "heading":
        text = f"{block['number']} {block['text']}" if block.get("number") else block["text"]
        write_heading(pdf, text, look["headingSizes"][block["level"] - 1], look)
    elif kind in ("paragraph", "caption"):
        pdf.multi_cell(0, line, block["text"], align="J" if look["justified"] else "L", new_x="LMARGIN", new_y="NEXT")
        pdf.ln(line * 0.6)
    elif kind == "table":
        write_table(pdf, block["table"], look)
    elif kind == "list":
        write_list(pdf, block, line)
    elif kind == "fields":
        for field in block["fields"]:
            pdf.cell(50, line * 1.3, field["label"])
            pdf.cell(0, line * 1.3, field["value"], border=1, new_x="LMARGIN", new_y="NEXT")
        pdf.ln(line)
    elif kind == "notes":
        pdf.set_font("body", "", look["size"] * 0.8)
        for at, note in enumerate(block["notes"], 1):
            pdf.multi_cell(0, line * 0.85, f"{at} {note}", new_x="LMARGIN", new_y="NEXT")
        pdf.set_font("body", "", look["size"])


def write_list(pdf, block, line):
    left = pdf.l_margin

    def item(marker, text, indent):
        pdf.set_x(left + indent)
        pdf.cell(6, line, marker)
        pdf.multi_cell(0, line, text, align="L", new_x="LMARGIN", new_y="NEXT")

    for at, entry in enumerate(block["items"], 1):
        item(f"{at}." if block["ordered"] else "•", entry["text"], 3)
        for inner in entry["items"]:
            item("–", inner, 9)
    pdf.ln(line * 0.6)


def write(document, path):
    look = document["look"]
    pdf = Page(format=look["paper"])
    pdf.look = look
    face = "DejaVuSerif" if "Serif" in look["font"] else "DejaVuSans"
    pdf.add_font("body", "", f"{DEJAVU}/{face}.ttf")
    pdf.add_font("body", "B", f"{DEJAVU}/{face}-Bold.ttf")
    pdf.set_font("body", "", look["size"])
    pdf.set_margin(look["margin"])
    pdf.set_auto_page_break(True, look["margin"])
    pdf.add_page()
    for block in document["blocks"]:
        write_block(pdf, block, look)
    pdf.output(path)
