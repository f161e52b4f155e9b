/** Endings of media types that do not name the format as people do. */
const NAMES: Record<string, string> = {
  "wordprocessingml.document": "DOCX",
  "spreadsheetml.sheet": "XLSX",
  "presentationml.presentation": "PPTX",
  "opendocument.text": "ODT",
  "opendocument.spreadsheet": "ODS",
  "opendocument.presentation": "ODP",
  msword: "DOC",
  "ms-excel": "XLS",
  "ms-powerpoint": "PPT",
  "ms-outlook": "MSG",
  rfc822: "EML",
  "tab-separated-values": "TSV",
  "apache.parquet": "Parquet",
  plain: "TXT",
  markdown: "Markdown",
  asciidoc: "AsciiDoc",
};

/** `application/vnd.ms-excel` → `XLS`, `image/png` → `PNG`. */
export function nameType(mimeType: string): string {
  const known = Object.keys(NAMES).find((ending) => mimeType.endsWith(ending));
  const subtype = mimeType.split("/").at(-1) ?? mimeType;
  return (known && NAMES[known]) ?? subtype.replace(/\+.*/, "").toUpperCase();
}
