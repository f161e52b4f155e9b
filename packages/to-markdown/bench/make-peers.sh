#!/bin/sh
# Installs the parsers that ours is compared with, in a Python environment of their own beside this script.
set -eu
cd "$(dirname "$0")"
python3 -m venv .peers
# pymupdf4llm 2.0 is an empty package
.peers/bin/pip install --quiet 'pymupdf4llm<2' 'markitdown[all]' docling
