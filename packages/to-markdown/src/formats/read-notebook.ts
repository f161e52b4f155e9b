import { writeMarkdown } from "./write-markdown.ts";
import { type Fields, fieldsOf, parseFields } from "./json-fields.ts";
import { readHtml } from "./read-html.ts";

const MAX_CELLS = 20_000;

/**
 * Reads the cells of a notebook: its texts, its code, and the words of its results, without the
 * bytes of pictures; undefined for other JSON. Source: the notebook format, versions 3 and 4.
 */
export function readNotebook(json: string): string | undefined {
  if (!json.slice(0, 100_000).includes('"cell')) return undefined;
  const notebook = parseFields(json);
  if (!notebook || typeof notebook["nbformat"] !== "number") return undefined;
  const [sheet] = listOf(notebook["worksheets"]);
  const cells = notebook["cells"] ?? fieldsOf(sheet)["cells"];
  if (!Array.isArray(cells)) return undefined;
  const language = languageOf(notebook);
  return cells
    .slice(0, MAX_CELLS)
    .map((cell) => cellText(fieldsOf(cell), language))
    .filter((text) => text !== "")
    .join("\n\n");
}

function languageOf(notebook: Fields): string {
  const metadata = fieldsOf(notebook["metadata"]);
  const name =
    fieldsOf(metadata["language_info"])["name"] ??
    fieldsOf(metadata["kernelspec"])["language"];
  return typeof name === "string" && /^[\w+#-]{1,30}$/.test(name) ? name : "";
}

function cellText(cell: Fields, language: string): string {
  const source = textOf(cell["source"] ?? cell["input"]);
  if (cell["cell_type"] === "markdown") return withoutBytes(source).trim();
  if (cell["cell_type"] === "heading")
    return `${"#".repeat(levelOf(cell))} ${source.trim()}`;
  if (cell["cell_type"] !== "code") return fenced(source);
  const results = listOf(cell["outputs"]).map((output) => resultText(fieldsOf(output)));
  return [fenced(source, language), ...results].filter((text) => text !== "").join("\n\n");
}

/** What a result shows: a table of HTML, markdown, or text. */
function resultText(output: Fields): string {
  if (output["output_type"] === "error" || output["output_type"] === "pyerr")
    return fenced(`${textOf(output["ename"])}: ${textOf(output["evalue"])}`);
  const data = fieldsOf(output["data"] ?? output);
  const html = textOf(data["text/html"] ?? data["html"]);
  if (/<table[\s>]/i.test(html)) return writeMarkdown(readHtml(html).blocks);
  const markdown = textOf(data["text/markdown"]);
  if (markdown !== "") return withoutBytes(markdown).trim();
  return fenced(textOf(output["text"] ?? data["text/plain"]));
}

/** Pictures that a text holds as their bytes. */
function withoutBytes(markdown: string): string {
  return markdown.replace(/\(data:[\w/+.-]{1,60};base64,[\w+/=\s]*\)/g, "(image)");
}

function fenced(text: string, language = ""): string {
  // colours of terminals
  // oxlint-disable-next-line no-control-regex -- the escape begins them
  const plain = text.replace(/\x1b\[[\d;]{0,20}m/g, "").replace(/\s+$/, "");
  if (plain.trim() === "") return "";
  return writeMarkdown([{ kind: "code", text: plain, language, depth: 0, quote: 0 }]);
}

function levelOf({ level }: Fields): number {
  return typeof level === "number" && level >= 1 && level <= 6 ? Math.floor(level) : 1;
}

function textOf(value: unknown): string {
  if (Array.isArray(value))
    return value.filter((line) => typeof line === "string").join("");
  return typeof value === "string" ? value : "";
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value.slice(0, MAX_CELLS) : [];
}
