import type { Block } from "../blocks.ts";
import { decodeText, decodeHtml } from "../decode-text.ts";
import type { AttachedFile } from "../../parsed-file.ts";
import type { FileContent, ReadOptions } from "../finish-file.ts";
import { decodeWords } from "./decode-words.ts";
import { decoderNamed } from "../guess-encoding.ts";
import { readCalendar } from "../read-calendar.ts";
import { mailBlocks, textBlocks } from "./mail-blocks.ts";
import { type MailPart, parseMessage } from "./parse-message.ts";

const REPORTS = /^message\/(?:delivery-status|disposition-notification|feedback-report)$/;
const SHOWN = ["From", "To", "Cc", "Date"];

/**
 * Reads a message as it was sent. Appends attached messages; names other attachments, and returns
 * them.
 */
export async function readEml(
  bytes: Uint8Array,
  _options: ReadOptions,
): Promise<FileContent> {
  const message = parseMessage(bytes);
  const attachments: AttachedFile[] = [];
  const blocks = messageBlocks(message, 1, attachments);
  return {
    blocks,
    title: headerOf(message, "subject"),
    author: headerOf(message, "from"),
    attachments,
  };
}

function messageBlocks(
  message: MailPart,
  level: number,
  attachments: AttachedFile[],
): Block[] {
  const { texts, pages, files, messages, reports, calendars } = sorted(message);
  attachments.push(...files);
  const own = mailBlocks(
    {
      subject: headerOf(message, "subject"),
      headers: SHOWN.map((name) => [name, headerOf(message, name.toLowerCase())]),
      text: texts.map(textOf).join("\n\n"),
      html:
        pages.length === 0
          ? undefined
          : pages
              .map((part) => (part.charset ? decoded(part) : decodeHtml(part.body)))
              .join("\n"),
      attachments: files.map(({ name }) => name),
    },
    level,
  );
  return [
    ...own,
    ...reports.flatMap((part) => textBlocks(textOf(part))),
    ...calendars.flatMap((part) => readCalendar(decoded(part), Math.min(6, level + 1))),
    ...messages.flatMap((inner) =>
      messageBlocks(inner, Math.min(6, level + 1), attachments),
    ),
  ];
}

/** UTF-7 is plain ASCII, so that only its name tells it from other text. */
function decoded({ body, charset }: MailPart): string {
  const seven = /^(?:unicode-1-1-)?utf-?7$/i.test(charset ?? "");
  return seven
    ? (decoderNamed("utf-7")?.decode(body) ?? decodeText(body))
    : decodeText(body, charset);
}

function textOf(part: MailPart): string {
  const text = decoded(part);
  return part.flowed === "no" ? text : unflow(text, part.flowed === "with-added-spaces");
}

function headerOf(part: MailPart, name: string): string {
  return decodeWords(part.headers.get(name) ?? "")
    .replace(/\s+/g, " ")
    .trim();
}

/** Sorts the parts of a message: its text, its HTML and its files. */
function sorted(message: MailPart) {
  const found = {
    texts: [] as MailPart[],
    pages: [] as MailPart[],
    files: [] as AttachedFile[],
    messages: [] as MailPart[],
    /** Why a message was not delivered, or that it was read. */
    reports: [] as MailPart[],
    calendars: [] as MailPart[],
  };
  const visit = (part: MailPart) => {
    if (part.mimeType === "message/rfc822") found.messages.push(...part.parts);
    else if (part.parts.length > 0) part.parts.forEach(visit);
    else if (
      part.attached ||
      (part.fileName !== undefined && !part.mimeType.startsWith("text/"))
    )
      found.files.push({ name: part.fileName ?? part.mimeType, bytes: part.body });
    else if (part.mimeType === "text/calendar") found.calendars.push(part);
    else if (REPORTS.test(part.mimeType)) found.reports.push(part);
    else if (part.mimeType === "text/html") found.pages.push(part);
    else if (part.mimeType.startsWith("text/")) found.texts.push(part);
    // pictures of the message's HTML are no attachments
    else if (!part.headers.has("content-id"))
      found.files.push({ name: part.mimeType, bytes: part.body });
  };
  visit(message);
  return found;
}

/**
 * Joins the lines of a text that its mail program broke at spaces. `deletesSpace`: the space was
 * added at the break. Source: RFC 3676.
 */
function unflow(text: string, deletesSpace: boolean): string {
  const lines: string[] = [];
  let open: { quote: number; text: string } | undefined;
  const close = () => {
    if (open)
      lines.push(`${">".repeat(open.quote)}${open.quote > 0 ? " " : ""}${open.text}`);
    open = undefined;
  };
  for (const line of text.split(/\r?\n/)) {
    const quote = /^>*/.exec(line)?.[0].length ?? 0;
    // a space may stand before the text so that it does not look like a quotation
    const content = line.slice(quote).replace(/^ /, "");
    if (open && open.quote !== quote) close();
    const joined: string = (open?.text ?? "") + content;
    // the line before a signature ends with a space that means nothing
    const isFlowed = content.endsWith(" ") && content !== "-- ";
    open = { quote, text: isFlowed && deletesSpace ? joined.slice(0, -1) : joined };
    if (!isFlowed) close();
  }
  close();
  return lines.join("\n");
}
