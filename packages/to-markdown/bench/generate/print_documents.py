"""Prints the documents named on standard input, one JSON line each: {writer, source, target}.
Writes a JSON line for each: {target} or {target, error}."""

import importlib
import json
import logging
import sys
import warnings

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)


def with_weasyprint(source, target):
    from weasyprint import HTML

    HTML(string=open(source, encoding="utf-8").read()).write_pdf(target)


def with_typst(source, target):
    import typst

    typst.compile(source, output=target)


def with_module(name):
    def write(source, target):
        document = json.load(open(source, encoding="utf-8"))
        importlib.import_module(name).write(document, target)

    return write


WRITERS = {
    "weasyprint": with_weasyprint,
    "typst": with_typst,
    "reportlab": with_module("with_reportlab"),
    "fpdf2": with_module("with_fpdf2"),
    "pptx": with_module("with_pptx"),
}

if sys.argv[1:] == ["--list"]:
    for name, package in [("weasyprint", "weasyprint"), ("typst", "typst"), ("reportlab", "reportlab"), ("fpdf2", "fpdf"), ("pptx", "pptx")]:
        try:
            importlib.import_module(package)
            print(name)
        except Exception:  # absent, or a library of the system that it needs is
            pass
    sys.exit()

for line in sys.stdin:
    job = json.loads(line)
    try:
        WRITERS[job["writer"]](job["source"], job["target"])
        result = {"target": job["target"]}
    except Exception as error:  # every writer has its own
        result = {"target": job["target"], "error": f"{type(error).__name__}: {error}"[:300]}
    print(json.dumps(result), flush=True)
