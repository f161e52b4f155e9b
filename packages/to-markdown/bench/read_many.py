"""Reads the files named on standard input with one parser and writes a JSON line for each: {path, markdown, ms} or {path, error, ms}."""

import json
import logging
import os
import re
import resource
import signal
import sys
import time
import warnings

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)


EDGE = 0.12  # running heads stand in the outer parts of a page
NEAR = 4  # pages to either side that are compared
NUMBER = re.compile(r"^\W*(?:(?:page|seite|pág(?:ina)?\.?|p\.|s\.)\s*)?(?:\d{1,5}|[ivxlc]{1,7})(?:\s*(?:/|of|von|de|sur|di)\s*\d{1,5})?\W*$", re.I)


def lines_of(page):
    """The lines of a page: (text, what is alike when numbers differ, whether it stands at the edge). A
    line that is drawn several times at one place, as bold type is, counts once."""
    height = page.rect.height
    lines, places = [], set()
    for block in page.get_text("dict")["blocks"]:
        for line in block.get("lines", []):
            text = "".join(span["text"] for span in line["spans"])
            left, top, _, bottom = line["bbox"]
            near = {(text.strip(), round(left) + x, round(top) + y) for x in (-1, 0, 1) for y in (-1, 0, 1)}
            if near & places:
                continue
            places.add((text.strip(), round(left), round(top)))
            turned = abs(line["dir"][0]) < 0.98
            edge = turned or bottom < height * EDGE or top > height * (1 - EDGE)
            lines.append((text, re.sub(r"\s+", " ", re.sub(r"\d+", "0", text)).strip().lower(), edge))
    return lines


WHITE = 0.95
TINY = 1.2
SPACE = 0.15  # between words, in type sizes


def unseen_of(page):
    """The text of a page that no person sees: beyond its visible part, or without ink, white or tiny,
    where no picture or colour is behind it."""
    grounds = [image["bbox"] for image in page.get_image_info()]
    grounds += [drawing["rect"] for drawing in page.get_cdrawings() if drawing.get("fill")]
    unseen = []
    for span in page.get_texttrace():
        faint = span["type"] == 3 or span["opacity"] == 0 or min(span["color"]) > WHITE
        text, right_of_last = "", None
        for code, _, _, box in span["chars"]:
            if right_of_last is not None and abs(box[0] - right_of_last) > SPACE * span["size"]:
                text += " "
            right_of_last = box[2]
            x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
            outside = not page.rect.contains((x, y))
            bare = not any(left <= x <= right and top <= y <= bottom for left, top, right, bottom in grounds)
            text += chr(code) if outside or span["size"] < TINY or (faint and bare) else " "
        unseen.append(text)
    return "\n".join(unseen)


def text_and_heads(pymupdf, path):
    """The text of a file, the running heads and page numbers among it, and what no person sees."""
    with pymupdf.open(path) as document:
        pages = [lines_of(page) for page in document]
        paged = document.is_pdf
        unseen = [unseen_of(page) for page in document] if paged else []
    edges = [{key for _, key, edge in lines if edge} for lines in pages]
    heads = []
    for at, lines in enumerate(pages if paged else []):
        near = set().union(*edges[max(0, at - NEAR) : at], *edges[at + 1 : at + NEAR + 1])
        heads += [text for text, key, edge in lines if edge and (key in near or NUMBER.match(text))]
    return {
        "markdown": "\f".join("\n".join(text for text, _, _ in lines) for lines in pages),
        "runningHeads": "\n".join(heads),
        "unseen": "\n".join(unseen),
    }


def reader(name):
    if name == "markitdown":
        from markitdown import MarkItDown

        convert = MarkItDown().convert
        return lambda path: convert(path).text_content
    if name == "pymupdf4llm":
        from pymupdf4llm import to_markdown

        return lambda path: to_markdown(path, show_progress=False)
    if name == "pymupdf":
        import pymupdf

        return lambda path: text_and_heads(pymupdf, path)
    from docling.document_converter import DocumentConverter

    converter = DocumentConverter()
    return lambda path: converter.convert(path, max_file_size=50_000_000).document.export_to_markdown()


LIMIT_SECONDS = 30
LIMIT_BYTES = 3 << 30  # hostile files are among those of every corpus


def too_long(*_):
    raise TimeoutError(f"no answer in {LIMIT_SECONDS} seconds")


def answer(read, path):
    """The line about a file."""
    start = time.perf_counter()
    signal.alarm(LIMIT_SECONDS)
    try:
        found = read(path)
        result = found if isinstance(found, dict) else {"markdown": found}
    except Exception as error:  # every parser has its own
        result = {"error": f"{type(error).__name__}: {error}"[:200]}
    signal.alarm(0)
    return json.dumps({"path": path, "ms": (time.perf_counter() - start) * 1000, **result})


def answer_apart(read, path):
    """The same by a process of its own, which ends whatever it does and gives back its memory."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        print(answer(read, path), flush=True)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    return json.dumps({"path": path, "ms": 0, "error": "it was ended"}) if status else ""


resource.setrlimit(resource.RLIMIT_DATA, (LIMIT_BYTES, LIMIT_BYTES))
signal.signal(signal.SIGALRM, too_long)
name = sys.argv[1]
read = reader(name)
say = answer if name == "docling" else answer_apart
for line in sys.stdin:
    if said := say(read, line.rstrip("\n")):
        print(said, flush=True)
