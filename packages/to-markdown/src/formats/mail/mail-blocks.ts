import { type Block, paragraph } from "../blocks.ts";
import { readHtml } from "../read-html.ts";

export interface Mail {
  subject: string;
  /** Names and values in the order of display. */
  headers: [name: string, value: string][];
  text?: string | undefined;
  html?: string | undefined;
  /** Names of attached files. */
  attachments: string[];
}

/**
 * Converts a message to blocks: its subject as heading, sender, recipients and date, its text, and
 * the names of attachments.
 */
export function mailBlocks(
  { subject, headers, text, html, attachments }: Mail,
  level = 1,
): Block[] {
  const blocks: Block[] =
    subject === "" ? [] : [{ kind: "heading", level, runs: [{ text: subject }] }];
  const lines = headers.filter(([, value]) => value.trim() !== "");
  if (lines.length > 0) {
    blocks.push(
      paragraph(
        lines.flatMap(([name, value], index) => [
          { text: `${index > 0 ? "\n" : ""}` },
          { text: `${name}:`, bold: true },
          { text: ` ${value}` },
        ]),
      ),
    );
  }
  const page = html === undefined ? [] : readHtml(html).blocks;
  for (const block of page.some((one) => "runs" in one || one.kind === "table")
    ? page
    : textBlocks(text ?? ""))
    blocks.push(block);
  if (attachments.length > 0) {
    blocks.push(paragraph([{ text: "Attachments:", bold: true }]));
    for (const name of attachments)
      blocks.push(paragraph([{ text: name }], { depth: 1, marker: "-" }));
  }
  return blocks;
}

/** Converts plain text: empty lines separate paragraphs, `>` marks quotations. */
export function textBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  let lines: string[] = [];
  let quote = 0;
  const flush = () => {
    if (lines.length > 0) blocks.push(paragraph([{ text: lines.join("\n") }], { quote }));
    lines = [];
  };
  for (const line of text.split(/\r?\n/)) {
    const marks = /^(?:> ?){1,9}/.exec(line)?.[0] ?? "";
    const depth = marks.replaceAll(" ", "").length;
    const rest = line.slice(marks.length).trim();
    if (rest === "" || depth !== quote) flush();
    quote = depth;
    if (rest !== "") lines.push(rest);
  }
  flush();
  return blocks;
}
