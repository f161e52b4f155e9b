"""Reads the files named on standard input with one parser and writes a JSON line for each: {path, markdown, ms} or {path, error, ms}."""

import json
import logging
import sys
import time
import warnings

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)


def reader(name):
    if name == "markitdown":
        from markitdown import MarkItDown

        convert = MarkItDown().convert
        return lambda path: convert(path).text_content
    if name == "pymupdf4llm":
        from pymupdf4llm import to_markdown

        return lambda path: to_markdown(path, show_progress=False)
    from docling.document_converter import DocumentConverter

    converter = DocumentConverter()
    return lambda path: converter.convert(path, max_file_size=50_000_000).document.export_to_markdown()


read = reader(sys.argv[1])
for line in sys.stdin:
    path = line.rstrip("\n")
    start = time.perf_counter()
    try:
        result = {"markdown": read(path)}
    except Exception as error:  # every parser has its own
        result = {"error": f"{type(error).__name__}: {error}"[:200]}
    print(json.dumps({"path": path, "ms": (time.perf_counter() - start) * 1000, **result}), flush=True)
