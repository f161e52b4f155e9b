#!/bin/sh
# Installs the parsers that ours is compared with, and the programs that print generated PDFs, in a
# Python environment of their own: in the folder given, or beside this script.
set -eu
cd "$(dirname "$0")"
target="${1:-.peers}"
case "$target" in
  -h | --help) echo "Usage: packages/to-markdown/bench/make-peers.sh [<folder>]"; exit ;;
  -*)
    echo "There is no option $target. Name a folder, or nothing." >&2
    exit 2
    ;;
esac
python3 -m venv "$target"
# pymupdf4llm 2.0 is an empty package
"$target/bin/pip" install --quiet 'pymupdf4llm<2' 'markitdown[all]' docling
"$target/bin/pip" install --quiet reportlab weasyprint fpdf2 typst
