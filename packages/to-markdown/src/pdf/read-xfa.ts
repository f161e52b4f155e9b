import { type Element, isElement, readXmlTree } from "../formats/xml-tree.ts";
import type { OpenPdf } from "./open-pdf.ts";
import type { Pdfium } from "./pdfium.ts";

/** What a form in XFA contains, which only few programs show. */
export interface XfaForm {
  markdown: string;
  warning: string;
}

const MAX_PACKETS = 50;
const MAX_BYTES = 20_000_000;
const MAX_LINES = 5_000;

/**
 * Reads the labels and data of a form in XFA, whose pages only ask to wait.
 * @returns undefined for a file without one, or whose pages have the fields as well
 */
export async function readXfa(
  pdfium: Pdfium,
  document: OpenPdf,
): Promise<XfaForm | undefined> {
  const { api } = pdfium;
  const count = Math.min(api.FPDF_GetXFAPacketCount(document.handle), MAX_PACKETS);
  if (count <= 0 || hasFields(pdfium, document)) return undefined;
  const packets = Array.from({ length: count }, (_, at) =>
    packetOf(pdfium, document.handle, at),
  );
  try {
    const tree = await readXmlTree([
      `<xfa>${packets.join("").replace(/<\?xml[^>]*>/g, "")}</xfa>`,
    ]);
    const lines = linesOf(tree);
    if (lines.length > 0)
      return {
        markdown: lines.map(escape).join("\n\n"),
        warning:
          "This is a dynamic form (XFA): its labels and data were read, without their layout.",
      };
  } catch {
    // the warning below says so
  }
  return {
    markdown: "",
    warning:
      "This is a dynamic form (XFA) whose content could not be read: print it to a PDF in Adobe Acrobat, and send that.",
  };
}

/** Whether the first page has fields of its own, as forms have that any viewer shows. */
function hasFields({ api }: Pdfium, { handle }: OpenPdf): boolean {
  const page = api.FPDF_LoadPage(handle, 0);
  if (page === 0) return false;
  const count = api.FPDFPage_GetAnnotCount(page);
  api.FPDF_ClosePage(page);
  return count > 0;
}

function packetOf(pdfium: Pdfium, handle: number, packet: number): string {
  const { api, scratch, uint } = pdfium;
  const read = (buffer: number, size: number) =>
    api.FPDF_GetXFAPacketContent(handle, packet, buffer, size, scratch);
  if (!read(0, 0)) return "";
  const size = uint(scratch);
  if (size === 0 || size > MAX_BYTES) return "";
  const buffer = pdfium.keep(new Uint8Array(size));
  if (buffer === 0) return "";
  try {
    return read(buffer, size)
      ? new TextDecoder().decode(pdfium.view(buffer, size).slice())
      : "";
  } finally {
    pdfium.free(buffer);
  }
}

/** The printed texts of a form, then its data, each value after its label. */
function linesOf(tree: Element): string[] {
  const labels = new Map<string, string>();
  const printed: string[] = [];
  const walk = (element: Element): void => {
    const { name, attributes, children } = element;
    if (name === "draw") printed.push(textOf(element));
    const caption = children.find((child) => isElement(child) && child.name === "caption");
    if (name === "field" && isElement(caption) && attributes["name"])
      labels.set(attributes["name"], textOf(caption));
    for (const child of children) if (isElement(child)) walk(child);
  };
  for (const template of named(tree, "template")) walk(template);
  const data: string[] = [];
  const read = (element: Element): void => {
    const inner = element.children.filter(isElement);
    for (const child of inner) read(child);
    const value = inner.length === 0 ? textOf(element) : "";
    if (value !== "") data.push(`${labels.get(element.name) || element.name}: ${value}`);
  };
  for (const set of named(tree, "datasets"))
    for (const element of set.children)
      if (isElement(element) && element.name === "data") read(element);
  return [...printed.filter((text) => text !== ""), ...data].slice(0, MAX_LINES);
}

function named(element: Element, name: string): Element[] {
  if (element.name === name) return [element];
  return element.children.flatMap((child) => (isElement(child) ? named(child, name) : []));
}

const rawTextOf = ({ children }: Element): string =>
  children.map((child) => (isElement(child) ? ` ${rawTextOf(child)} ` : child)).join("");

const textOf = (element: Element): string => rawTextOf(element).replace(/\s+/g, " ").trim();

const escape = (text: string): string => text.replace(/[\\`*_[\]<>#|]/g, "\\$&");
