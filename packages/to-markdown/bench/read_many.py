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
    """The lines of a page: (text, what is alike when numbers differ, whether it stands at the edge)."""
    height = page.rect.height
    lines = []
    for block in page.get_text("dict")["blocks"]:
        for line in block.get("lines", []):
            text = "".join(span["text"] for span in line["spans"])
            top, bottom = line["bbox"][1], line["bbox"][3]
            turned = abs(line["dir"][0]) < 0.98
            edge = turned or bottom < height * EDGE or top > height * (1 - EDGE)
            lines.append((text, re.sub(r"\s+", " ", re.sub(r"\d+", "0", text)).strip().lower(), edge))
    return lines


def text_and_heads(pymupdf, path):
    """The text of a file, and the running heads and page numbers among it."""
    with pymupdf.open(path) as document:
        pages = [lines_of(page) for page in document]
        paged = document.is_pdf
    edges = [{key for _, key, edge in lines if edge} for lines in pages]
    heads = []
    for at, lines in enumerate(pages if paged else []):
        near = set().union(*edges[max(0, at - NEAR) : at], *edges[at + 1 : at + NEAR + 1])
        heads += [text for text, key, edge in lines if edge and (key in near or NUMBER.match(text))]
    return {
        "markdown": "\f".join("\n".join(text for text, _, _ in lines) for lines in pages),
        "runningHeads": "\n".join(heads),
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
