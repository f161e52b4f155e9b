"""Prints a document, as document.ts describes it, with ReportLab."""

from xml.sax.saxutils import escape

from reportlab.lib import colors, pagesizes
from reportlab.lib.enums import TA_CENTER, TA_JUSTIFY
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import (
    BalancedColumns, Flowable, HRFlowable, ListFlowable, ListItem, Paragraph, SimpleDocTemplate,
    Spacer, Table, TableStyle,
)

FONTS = "/usr/share/fonts/truetype"
FACES = {
    "Serif": (f"{FONTS}/dejavu/DejaVuSerif.ttf", f"{FONTS}/dejavu/DejaVuSerif-Bold.ttf"),
    "Sans": (f"{FONTS}/liberation/LiberationSans-Regular.ttf", f"{FONTS}/liberation/LiberationSans-Bold.ttf"),
}


def register():
    for name, (regular, bold) in FACES.items():
        pdfmetrics.registerFont(TTFont(name, regular))
        pdfmetrics.registerFont(TTFont(f"{name}-Bold", bold))


class Field(Flowable):
    """A label with a form field that has a value, or a frame around it: ReportLab's form fields
    hold Latin-1 alone."""

    def __init__(self, label, value, size, font):
        super().__init__()
        self.label, self.value, self.size, self.font = label, value, size, font
        self.width, self.height = 300, size * 2.4

    def draw(self):
        self.canv.setFont(self.font, self.size)
        self.canv.drawString(0, self.size * 0.7, self.label)
        if any(ord(letter) > 255 for letter in self.value):
            self.canv.rect(150, 0, 220, self.size * 2)
            self.canv.drawString(154, self.size * 0.7, self.value)
            return
        self.canv.acroForm.textfield(
            value=self.value, x=150, y=0, width=220, height=self.size * 2, relative=True,
            fontName="Helvetica", fontSize=self.size, borderWidth=0.5,
        )


def table_style(table, look):
    kind, head = table["look"], table["headRows"]
    dark, pale = colors.HexColor(look["accent"]), colors.HexColor(look["pale"])
    everything, first = ((0, 0), (-1, -1)), ((0, 0), (-1, head - 1))
    commands = {
        "grid": [("GRID", *everything, 0.6, colors.black)],
        "levels": [("LINEBELOW", *everything, 0.5, colors.grey)],
        "book": [("LINEABOVE", *first, 1, colors.black), ("LINEBELOW", (0, head - 1), (-1, head - 1), 0.5, colors.black), ("LINEBELOW", (0, -1), (-1, -1), 1, colors.black)],
        "uprights": [("LINEBEFORE", *everything, 0.5, colors.black), ("LINEAFTER", *everything, 0.5, colors.black)],
        "frame": [("BOX", *everything, 1, colors.black)],
        "zebra": [("ROWBACKGROUNDS", *everything, [colors.white, pale])],
        "head-fill": [("BACKGROUND", *first, pale)],
        "blocks": [("BACKGROUND", *everything, pale), ("BACKGROUND", *first, colors.lightgrey), ("GRID", *everything, 2, colors.white)],
        "heat": [("BACKGROUND", (x, y), (x, y), [colors.mistyrose, colors.honeydew, colors.aliceblue][(x + y) % 3]) for y in range(len(table["rows"])) for x in range(table["columns"])] if kind == "heat" else [],
        "white-grid": [("BACKGROUND", *everything, pale), ("GRID", *everything, 1.5, colors.white)],
        "dashed": [("GRID", *everything, 0.6, colors.black, 0, (2, 2))],
        "none": [],
    }[kind]
    return [*commands, ("VALIGN", *everything, "TOP" if look["margin"] > 20 else "MIDDLE")]


def make_table(table, look, styles):
    rows, spans = [[None] * table["columns"] for _ in table["rows"]], []
    for y, row in enumerate(table["rows"]):
        for cell in row:
            x = rows[y].index(None)
            style = styles["head"] if y < table["headRows"] else styles["cell"]
            for down in range(cell["down"]):
                for across in range(cell["across"]):
                    rows[y + down][x + across] = ""
            wraps = len(cell["text"]) > 8 and not table["numbers"][x] or y < table["headRows"] or "table" in cell
            words = Paragraph(escape(cell["text"]), style) if wraps else cell["text"]
            rows[y][x] = [words, make_table(cell["table"], look, styles)] if "table" in cell else words
            if cell["across"] > 1 or cell["down"] > 1:
                spans.append(("SPAN", (x, y), (x + cell["across"] - 1, y + cell["down"] - 1)))
    usual = [("FONT", (0, 0), (-1, -1), styles["cell"].fontName, look["size"])]
    usual += [("ALIGN", (x, table["headRows"]), (x, -1), "RIGHT") for x, number in enumerate(table["numbers"]) if number]
    repeat = table["headRows"] if len(rows) > 20 else 0
    return Table(rows, repeatRows=repeat, style=TableStyle([*usual, *table_style(table, look), *spans]), spaceBefore=6, spaceAfter=10)


def styles_of(look):
    font = "Serif" if "Serif" in look["font"] else "Sans"
    size, leading = look["size"], look["size"] * look["leading"]
    body = ParagraphStyle("body", fontName=font, fontSize=size, leading=leading, spaceAfter=size * 0.7, alignment=TA_JUSTIFY if look["justified"] else 0)
    styles = {"body": body, "cell": ParagraphStyle("cell", body, spaceAfter=0, alignment=0, leading=size * 1.2)}
    styles["head"] = ParagraphStyle("head", styles["cell"], fontName=f"{font}-Bold" if look["headingBold"] else font)
    styles["caption"] = ParagraphStyle("caption", body, fontSize=size * 0.9, alignment=TA_CENTER)
    styles["note"] = ParagraphStyle("note", body, fontSize=size * 0.8, leading=size)
    for level, ratio in enumerate(look["headingSizes"], 1):
        styles[f"h{level}"] = ParagraphStyle(
            f"h{level}", body, fontName=f"{font}-Bold" if look["headingBold"] else font, fontSize=size * ratio, leading=size * ratio * 1.2,
            spaceBefore=size, textColor=colors.HexColor(look["headingColour"]), alignment=TA_CENTER if look["headingStyle"] == "centred" else 0, keepWithNext=1,
        )
    return styles


def flowables(block, look, styles):
    kind = block["type"]
    if kind == "title":
        return [Paragraph(escape(block["text"]), styles["h1"])]
    if kind == "heading":
        text = f"{block['number']} {block['text']}" if block.get("number") else block["text"]
        return [Paragraph(escape(text), styles[f"h{block['level']}"])]
    if kind in ("paragraph", "caption"):
        return [Paragraph(escape(block["text"]), styles["caption" if kind == "caption" else "body"])]
    if kind == "list":
        return [list_of(block, styles)]
    if kind == "table":
        return [make_table(block["table"], look, styles)]
    if kind == "columns" and block["flowing"]:
        return [BalancedColumns([each for inner in block["columns"][0] for each in flowables(inner, look, styles)], nCols=2)]
    if kind == "columns":
        cells = [[each for inner in column for each in flowables(inner, look, styles)] for column in block["columns"]]
        return [Table([cells], style=TableStyle([("VALIGN", (0, 0), (-1, -1), "TOP")]))]
    if kind == "fields":
        return [Field(field["label"], field["value"], look["size"], styles["body"].fontName) for field in block["fields"]]
    notes = [Paragraph(f"<super>{at}</super> {escape(note)}", styles["note"]) for at, note in enumerate(block["notes"], 1)]
    return [Spacer(1, 12), HRFlowable(width="30%", hAlign="LEFT"), *notes]


def list_of(block, styles):
    items = []
    for item in block["items"]:
        inner = [Paragraph(escape(text), styles["cell"]) for text in item["items"]]
        content = [Paragraph(escape(item["text"]), styles["cell"])]
        if inner:
            content.append(ListFlowable(inner, bulletType="bullet", start="circle", leftIndent=14))
        items.append(ListItem(content))
    size = styles["body"].fontSize
    options = {"bulletType": "1", "bulletFormat": "%s."} if block["ordered"] else {"bulletType": "bullet"}
    return ListFlowable(items, bulletFontSize=size, leftIndent=18, **options)


def write(document, pdf):
    register()
    look = document["look"]
    styles = styles_of(look)
    size = {"a4": pagesizes.A4, "letter": pagesizes.LETTER, "a5": pagesizes.A5}[look["paper"]]
    margin = look["margin"] * mm

    def decorate(canvas, template):
        if look["framed"]:
            canvas.rect(margin * 0.5, margin * 0.5, size[0] - margin, size[1] - margin)
        if look["running"]:
            canvas.drawCentredString(size[0] / 2, margin * 0.6, str(template.page))

    template = SimpleDocTemplate(pdf, pagesize=size, leftMargin=margin, rightMargin=margin, topMargin=margin, bottomMargin=margin)
    story = [each for block in document["blocks"] for each in flowables(block, look, styles)]
    template.build(story, onFirstPage=decorate, onLaterPages=decorate)
