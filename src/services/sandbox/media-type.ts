/** By the first bytes: what a page shows as a picture must be one. */
const PICTURES: readonly (readonly [string, RegExp])[] = [
  ["image/png", /^\x89PNG\r\n\x1a\n/],
  ["image/jpeg", /^\xff\xd8\xff/],
  ["image/gif", /^GIF8[79]a/],
  ["image/webp", /^RIFF.{4}WEBP/s],
];

const BY_ENDING: Readonly<Record<string, string>> = {
  csv: "text/csv",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  html: "text/html",
  json: "application/json",
  jsonl: "application/jsonl",
  md: "text/markdown",
  ods: "application/vnd.oasis.opendocument.spreadsheet",
  odt: "application/vnd.oasis.opendocument.text",
  parquet: "application/vnd.apache.parquet",
  pdf: "application/pdf",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  py: "text/x-python",
  svg: "image/svg+xml",
  tsv: "text/tab-separated-values",
  txt: "text/plain",
  wav: "audio/wav",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  xml: "application/xml",
  zip: "application/zip",
};

export function mediaTypeOf(name: string, start: Uint8Array = new Uint8Array()): string {
  const beginning = Buffer.from(start.subarray(0, 16)).toString("latin1");
  const picture = PICTURES.find(([, pattern]) => pattern.test(beginning));
  if (picture) return picture[0];
  const ending = name.split(".").at(-1)?.toLowerCase() ?? "";
  return BY_ENDING[ending] ?? "application/octet-stream";
}
