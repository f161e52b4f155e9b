const MISREAD = "others read letters of it wrongly";
const OWN_WORDS = "others add words of their own";

/**
 * The reasons why words that others find in files of public test collections are missing here
 * without a loss for the reader, found by comparing the texts and, for most files, their pictures.
 */
export const REASONS: Readonly<Record<string, string>> = {
  "issue16316.pdf": "nearly all of it lies beyond the visible part of the page",
  "issue-848.pdf": "PyMuPDF reads mirrored text backwards",
  "issue2948.pdf": "pdftotext takes turned words apart",
  "issue2017r.pdf": MISREAD,
  "testOverlappingText.pdf": "two lines are drawn over each other; others give both",
  "Type3WordSpacing.pdf": "words of one letter, told apart by others at other places",
  "habibi.pdf": "pdftotext gives the letters of one drawing backwards",
  "habibi-rotated.pdf": "pdftotext gives the letters of one drawing backwards",
  "test-columnar.xlsx": "PyMuPDF cuts the name of a column off",
  "right_to_left_02.pdf": MISREAD,
  "math_2503_04086.pdf": "others give accents apart from their letters",
  "invalid-chars.pdf": "PyMuPDF guesses the letters that the file does not name",
  "duplicate_bold_text_01.pdf": "bold lines are drawn several times",
  "testPDF_acroform3.pdf": "the name of an empty field, which is not drawn",
  "example-steelJIS-datasheet-utf-16.html": "others read UTF-16 byte by byte",
  "fake-html-cp1252.html": MISREAD,
  "fake-html-with-image-from-url.html": OWN_WORDS,
  "img_no_cover.epub": "the table of contents, which repeats the headings",
  "features.epub": "the table of contents, and formulas in commands of LaTeX",
  "test.epub": "the table of contents, which repeats the headings",
  "pptx_chart.pptx": OWN_WORDS,
  "powerpoint_with_image.pptx": OWN_WORDS,
  "omml_func_log.docx": "commands of LaTeX that need not be there",
  "table_with_equations.docx": "commands of LaTeX that need not be there",
};
