import { type Block, paragraph, textOf } from "./blocks.ts";
import type { FileContent } from "./finish-file.ts";
import { type Fields, fieldsOf, parseFields } from "./json-fields.ts";
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
  const blocks: Block[] = title === "" ? [] : [heading(1, title)];
  const about = textIn(
    childOf(channel, "description") ?? childOf(channel, "subtitle"),
  ).trim();
  if (about !== "") blocks.push(paragraph([{ text: about }]));
  const base = root && (baseOf(root, undefined) ?? addressOf(channel ?? root, undefined));
  for (const entry of entries)
    for (const block of entryBlocks(entry, base)) blocks.push(block);
  return { blocks, title, language: textIn(childOf(channel, "language")) };
}

function entryBlocks(entry: Element, feedBase: string | undefined): Block[] {
  const title = titleOf(entry);
  const base = baseOf(entry, feedBase);
  const href = addressOf(entry, base);
  const date = textIn(
    childOf(entry, "pubDate") ??
      childOf(entry, "updated") ??
      childOf(entry, "published") ??
      childOf(entry, "date"),
  ).trim();
  const content =
    childOf(entry, "encoded") ??
    childOf(entry, "content") ??
    childOf(entry, "description") ??
    childOf(entry, "summary");
  const ownBase = content ? baseOf(content, base) : base;
  const author = textIn(
    findIn(childOf(entry, "author"), "name") ??
      childOf(entry, "creator") ??
      childOf(entry, "author"),
  ).trim();
  return writeEntry({ title, href, date, author, html: textIn(content), base: ownBase });
}

function heading(level: number, text: string, href?: string): Block {
  return { kind: "heading", level, runs: [{ text, href }] };
}

/** An entry of any kind of feed. */
interface FeedEntry {
  title: string;
  href: string;
  date: string;
  author: string;
  html: string;
  /** The address to which its links refer. */
  base: string | undefined;
}

function writeEntry({ title, href, date, author, html, base }: FeedEntry): Block[] {
  const facts = [date, author].filter(Boolean).join(", ");
  return [
    ...(title === "" ? [] : [heading(2, title, href || undefined)]),
    ...(facts === "" ? [] : [paragraph([{ text: facts, italic: true }])]),
    ...readHtml(html, { base }).blocks,
  ];
}

/** The address to which links within an element refer. Source: XML Base. */
function baseOf({ attributes }: Element, outer: string | undefined): string | undefined {
  const own = attributes["xml:base"];
  if (own === undefined) return outer;
  return URL.parse(own, outer)?.href ?? outer;
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
function addressOf(entry: Element, base: string | undefined): string {
  const links = elementsOf(entry, "link");
  const link =
    links.find(({ attributes }) => /^(?:alternate)?$/i.test(attributes["rel"] ?? "")) ??
    links[0];
  const address = link?.attributes["href"] ?? textIn(link).trim();
  if (address !== "") return URL.parse(address, base)?.href ?? address;
  // RSS: an id is the address of the entry unless it says that it is not
  const id = childOf(entry, "guid");
  const text = textIn(id).trim();
  const isAddress = id?.attributes["isPermaLink"] !== "false" && /^https?:\/\//i.test(text);
  return isAddress ? text : "";
}

/** Reads a feed that is written as JSON; undefined for other JSON. Source: JSON Feed 1.1. */
export function readJsonFeed(json: string): FileContent | undefined {
  if (!json.slice(0, 100_000).includes("jsonfeed.org/version/")) return undefined;
  const feed = parseFields(json);
  const entries = feed?.["items"];
  if (!/^https?:\/\/jsonfeed\.org\/version\//.test(textOfField(feed, "version")))
    return undefined;
  if (!Array.isArray(entries)) return undefined;
  const title = textOfField(feed, "title");
  const about = textOfField(feed, "description");
  return {
    blocks: [
      ...(title === "" ? [] : [heading(1, title)]),
      ...(about === "" ? [] : [paragraph([{ text: about }])]),
      ...entries.slice(0, MAX_ENTRIES).flatMap((entry) => readJsonEntry(fieldsOf(entry))),
    ],
    title,
    language: textOfField(feed, "language") || undefined,
  };
}

function readJsonEntry(entry: Fields): Block[] {
  const [first] = Array.isArray(entry["authors"]) ? entry["authors"] : [entry["author"]];
  const text = textOfField(entry, "content_text") || textOfField(entry, "summary");
  const html = textOfField(entry, "content_html");
  const href = textOfField(entry, "url") || textOfField(entry, "external_url");
  const blocks = writeEntry({
    title: textOfField(entry, "title"),
    href,
    date: textOfField(entry, "date_published") || textOfField(entry, "date_modified"),
    author: textOfField(fieldsOf(first), "name"),
    html,
    base: URL.canParse(href) ? href : undefined,
  });
  return html === "" && text !== "" ? [...blocks, paragraph([{ text }])] : blocks;
}

function textOfField(fields: Fields | undefined, name: string): string {
  const value = fields?.[name];
  return typeof value === "string" ? value.trim() : "";
}
