"""Writes a document, as document.ts describes it, as slides with python-pptx."""

from pptx import Presentation
from pptx.util import Inches, Pt

TITLE_AND_BODY = 1




def write(document, target):
    presentation = Presentation()
    slide = None
    for block in document["blocks"]:
        if block["type"] in ("title", "heading"):
            slide = presentation.slides.add_slide(presentation.slide_layouts[TITLE_AND_BODY])
            slide.shapes.title.text = block["text"]
            body = slide.placeholders[1]
            frame, top, used = body.text_frame, Inches(5), False
        elif block["type"] == "list":
            for item in block["items"]:
                add_line(frame, item["text"], 0, used)
                used = True
                for inner in item["items"]:
                    add_line(frame, inner, 1, used)
        elif block["type"] == "table":
            add_table(slide, block["table"], top)
    for each in presentation.slides:
        body = each.placeholders[1]
        if not body.text_frame.text:
            body._element.getparent().remove(body._element)
    presentation.save(target)


def add_line(frame, text, level, used):
    line = frame.add_paragraph() if used else frame.paragraphs[0]
    line.text, line.level = text, level


def add_table(slide, table, top):
    rows, columns = len(table["rows"]), table["columns"]
    shape = slide.shapes.add_table(rows, columns, Inches(0.5), top, Inches(9), Pt(20 * rows))
    taken = set()
    for y, row in enumerate(table["rows"]):
        x = 0
        for cell in row:
            while (x, y) in taken:
                x += 1
            across, down = cell["across"], cell["down"]
            taken |= {(x + beside, y + below) for beside in range(across) for below in range(down)}
            place = shape.table.cell(y, x)
            place.text = cell["text"]
            if across * down > 1:
                place.merge(shape.table.cell(y + down - 1, x + across - 1))
