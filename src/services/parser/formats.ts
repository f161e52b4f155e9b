const OOXML = "application/vnd.openxmlformats-officedocument";
const ODF = "application/vnd.oasis.opendocument";

/**
 * What is read, by media type. Source: requirements 2 "Document conversion endpoint" and "Parser
 * backends".
 */
export const FORMATS = [
  "application/pdf",
  `${OOXML}.wordprocessingml.document`,
  `${OOXML}.presentationml.presentation`,
  `${OOXML}.spreadsheetml.sheet`,
  `${ODF}.text`,
  `${ODF}.spreadsheet`,
  `${ODF}.presentation`,
  "application/epub+zip",
  "application/rtf",
  "application/msword",
  "application/vnd.ms-excel",
  "application/vnd.ms-powerpoint",
  "application/vnd.ms-outlook",
  "text/html",
  "text/markdown",
  "text/csv",
  "text/tab-separated-values",
  "text/plain",
  "application/json",
  "application/xml",
  "message/rfc822",
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "image/tiff",
  "image/bmp",
] as const;
