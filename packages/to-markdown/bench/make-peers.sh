#!/bin/sh
# Installs the parsers that ours is compared with, and the programs that write generated documents:
# those of Python in an environment of their own, in the folder given or beside this script, and as
# root on Debian the others from its packages.
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
if [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -q
  apt-get install -y -q --no-install-recommends python3-venv pandoc poppler-utils ghostscript groff \
    fonts-dejavu fonts-liberation fonts-freefont-ttf fonts-noto-core fonts-noto-cjk libpangoft2-1.0-0 \
    libreoffice-writer libreoffice-calc libreoffice-impress lmodern cm-super-minimal \
    texlive-latex-base texlive-latex-recommended texlive-latex-extra texlive-luatex \
    texlive-lang-german texlive-lang-french
fi
python3 -m venv "$target"
# pymupdf4llm 2.0 is an empty package
"$target/bin/pip" install --quiet 'pymupdf4llm<2' 'markitdown[all]' docling
"$target/bin/pip" install --quiet reportlab weasyprint fpdf2 typst python-pptx
