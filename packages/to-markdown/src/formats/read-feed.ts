import { type Block, paragraph, textOf } from "./blocks.ts";
import type { FileContent } from "./finish-file.ts";
import { readHtml } from "./read-html.ts";
import {
  type Element,
  childOf,
  elementsOf,
  findAll,
  findIn,
  readXmlTree,
  textIn,
} from "./xml-tree.ts";

const MAX_ENTRIES = 5_000;

/**
 * Reads the entries of a feed, each with title, date, address and text; undefined for other XML.
 * Source: RSS 2.0, RFC 4287.
 */
export async function readFeed(xml: string): Promise<FileContent | undefined> {
  if (!/<(?:rss|feed|rdf:RDF)[\s>]/i.test(xml.slice(0, 4_096))) return undefined;
  const root = elementsOf(await readXmlTree([xml]))[0];
  const channel = childOf(root, "channel") ?? root;
  const entries = [...findAll(root, "item"), ...findAll(root, "entry")].slice(
    0,
    MAX_ENTRIES,
  );
  if (entries.length === 0) return undefined;
  const title = titleOf(channel);
  const blocks: Block[] =
    title === "" ? [] : [{ kind: "heading", level: 1, runs: [{ text: title }] }];
  const about = textIn(
    childOf(channel, "description") ?? childOf(channel, "subtitle"),
  ).trim();
  if (about !== "") blocks.push(paragraph([{ text: about }]));
  for (const entry of entries) for (const block of entryBlocks(entry)) blocks.push(block);
  return { blocks, title, language: textIn(childOf(channel, "language")) };
}

function entryBlocks(entry: Element): Block[] {
  const title = titleOf(entry);
  const href = addressOf(entry);
  const date = textIn(
    childOf(entry, "pubDate") ??
      childOf(entry, "updated") ??
      childOf(entry, "published") ??
      childOf(entry, "date"),
  ).trim();
  const text = textIn(
    childOf(entry, "encoded") ??
      childOf(entry, "content") ??
      childOf(entry, "description") ??
      childOf(entry, "summary"),
  );
  const author = textIn(
    findIn(childOf(entry, "author"), "name") ??
      childOf(entry, "creator") ??
      childOf(entry, "author"),
  ).trim();
  const facts = [date, author].filter(Boolean).join(", ");
  return [
    ...(title === ""
      ? []
      : [
          {
            kind: "heading" as const,
            level: 2,
            runs: [{ text: title, href: href || undefined }],
          },
        ]),
    ...(facts === "" ? [] : [paragraph([{ text: facts, italic: true }])]),
    ...readHtml(text).blocks,
  ];
}

/** A title as text. Atom says when it is HTML; RSS has tags in some all the same. */
function titleOf(element: Element | undefined): string {
  const title = childOf(element, "title");
  const text = textIn(title).trim();
  const isHtml =
    title?.attributes["type"] === "html" || /<\/[a-z]{1,10}>|&#?\w{2,8};/i.test(text);
  if (!isHtml) return text;
  return readHtml(text)
    .blocks.map((block) => ("runs" in block ? textOf(block.runs) : ""))
    .join(" ")
    .trim();
}

/** The address of the page that an entry stands for, not of the entry itself. RFC 4287, 4.2.7.2. */
function addressOf(entry: Element): string {
  const links = elementsOf(entry, "link");
  const link =
    links.find(({ attributes }) => /^(?:alternate)?$/i.test(attributes["rel"] ?? "")) ??
    links[0];
  return link?.attributes["href"] ?? textIn(link).trim();
}
