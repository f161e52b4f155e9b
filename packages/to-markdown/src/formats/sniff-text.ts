import { formatOfMimeType, formatOfName } from "./find-format.ts";
import { FORMATS } from "./formats.ts";

const HEADER =
  /^(?:received|from|to|subject|date|return-path|delivered-to|mime-version|message-id|content-type|x-[\w-]+|dkim-signature|reply-to|cc|authentication-results|arc-[\w-]+)\s*:/i;
const HTML_START =
  /^<(?:!doctype\s+html|html|head|body|meta|title|link|script|style|div|p|h[1-6]|table|ul|ol|article|section|main|header|nav|span|a|b|br|img|form|center|font)[\s>/]/i;

/** The kind of text that a declared type or a name implies. */
function kindNamed(fileName: string, claimed: string): string | undefined {
  const formats = [formatOfMimeType(claimed), formatOfName(fileName)];
  return formats.find((format) => format?.isText && format.kind !== "text")?.kind;
}

/**
 * The kind of a text: by its start where that is clear, otherwise by its declared type and name.
 */
export function sniffText(start: string, fileName: string, claimed: string): string {
  const text = withoutComments(start.slice(0, 32_768));
  const said = kindNamed(fileName, claimed);
  const plain = FORMATS.find(({ textStart }) => textStart?.test(text));
  if (plain) return plain.kind;
  if (text.startsWith("<?xml"))
    return /<(?:!doctype\s+html|html)[\s>]/i.test(text) ? "html" : "xml";
  if (/^<(?:!doctype\s+html|html)[\s>]/i.test(text))
    return said === "markdown" ? "markdown" : "html";
  switch (said) {
    case "html":
    case "xml":
      // a text without any tag is not HTML, whatever is declared
      return /<[a-z!/?]/i.test(text) || text === "" ? said : sniffUnnamed(text);
    case "json":
      return /^[[{"\d\-tfn]/.test(text) ? said : sniffUnnamed(text);
    case "eml":
      return headers(text) >= 1 ? said : sniffUnnamed(text);
    case undefined:
      return text.startsWith("<") && HTML_START.test(text) ? "html" : sniffUnnamed(text);
    default:
      return said;
  }
}

/** Without a regular expression, which could backtrack over consecutive comments. */
function withoutComments(start: string): string {
  let text = start.trimStart();
  while (text.startsWith("<!--")) {
    const end = text.indexOf("-->");
    if (end < 0) break;
    text = text.slice(end + 3).trimStart();
  }
  return text.slice(0, 8_192);
}

function sniffUnnamed(text: string): string {
  if (headers(text) >= 3) return "eml";
  if (HTML_START.test(text) && /<\/\w+>/.test(text)) return "html";
  return "text";
}

/** Counts the mail headers among the first lines. */
function headers(text: string): number {
  let count = 0;
  for (const line of text.split(/\r?\n/, 60)) {
    if (HEADER.test(line)) count += 1;
    else if (!/^\s/.test(line) && !/^[\w-]+:/.test(line)) break;
    else if (line === "") break;
  }
  return count;
}
