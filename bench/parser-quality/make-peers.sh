#!/bin/sh
# Installs the parsers that ours is compared with, in a Python environment of their own beside this script.
set -eu
cd "$(dirname "$0")"
python3 -m venv .peers
.peers/bin/pip install --quiet 'pymupdf4llm' 'markitdown[all]' docling
