import { layoutName, MAX_LAYOUT_NAMES } from "../parsed-file.ts";
import { type Archive, openArchive } from "./archive.ts";
import type { Block } from "./blocks.ts";
import { decodeHtml } from "./decode-text.ts";
import type { FileContent, ReadOptions } from "./finish-file.ts";
import { type ImageStore, imageStore } from "./image-store.ts";
import { resolvePath } from "./ooxml/open-package.ts";
import { readHtml } from "./read-html.ts";
import { damaged, tolerateDamage } from "./refuse-file.ts";
import {
  childOf,
  type Element,
  elementsOf,
  findAll,
  findIn,
  readXmlTree,
  textIn,
} from "./xml-tree.ts";

const MAX_CHAPTERS = 5_000;
const MAX_CHAPTER_BYTES = 50 * 2 ** 20;

/** Reads books, one chapter per page, in reading order. Source: EPUB 3.3 and OPF 2.0.1. */
export async function readEpub(
  bytes: Uint8Array,
  { extractImages, signal }: ReadOptions,
): Promise<FileContent> {
  const archive = await openArchive(bytes, signal);
  const container = await readXmlTree(archive.text("META-INF/container.xml"));
  const path = findIn(container, "rootfile")?.attributes["full-path"] ?? "";
  if (!archive.has(path)) throw damaged(new Error(`no package document "${path}"`));
  const book = elementsOf(await readXmlTree(archive.text(path)))[0];
  const images = imageStore(extractImages);
  const warnings: string[] = [];
  const blocks: Block[] = [];
  const names: string[] = [];
  const chapters = listChapters(archive, book, path);
  const labels = await tolerateDamage(
    () => readContents(archive, book, path),
    new Map<string, string>(),
    "The table of contents",
    warnings,
  );
  for (const chapter of chapters.slice(0, MAX_CHAPTERS)) {
    signal?.throwIfAborted();
    const found = await tolerateDamage(
      () => readChapter(archive, chapter, images),
      [],
      `The chapter "${chapter}"`,
      warnings,
    );
    if (found.length === 0) continue;
    if (blocks.length > 0) blocks.push({ kind: "page" });
    for (const block of found) blocks.push(block);
    names.push(labels.get(chapter) ?? "");
  }
  if (chapters.length > MAX_CHAPTERS)
    warnings.push(`Only the first ${MAX_CHAPTERS} chapters were read.`);
  return {
    blocks,
    layout: "chapters",
    names: names.slice(0, MAX_LAYOUT_NAMES).map(layoutName),
    ...describe(childOf(book, "metadata")),
    warnings,
    images: await images.collect(archive, warnings),
  };
}

/**
 * What the table of contents calls each chapter, by its path. Source: EPUB 3.3, 5.4 and OPF 2.0.1,
 * 2.4.1.
 */
async function readContents(
  archive: Archive,
  book: Element | undefined,
  path: string,
): Promise<Map<string, string>> {
  const labels = new Map<string, string>();
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const contents = elementsOf(childOf(book, "manifest"), "item").find(
    ({ attributes }) =>
      /\bnav\b/.test(attributes["properties"] ?? "") ||
      attributes["media-type"] === "application/x-dtbncx+xml",
  );
  const file = resolvePath(folder, decodedPath(contents?.attributes["href"] ?? ""));
  if (!contents || !archive.has(file)) return labels;
  const from = file.slice(0, file.lastIndexOf("/") + 1);
  const tree = await readXmlTree(archive.text(file));
  const add = (href: string | undefined, label: string) => {
    const chapter = resolvePath(from, decodedPath(href ?? ""));
    if (!labels.has(chapter)) labels.set(chapter, label);
  };
  for (const point of findAll(tree, "navPoint").slice(0, MAX_CHAPTERS))
    add(
      childOf(point, "content")?.attributes["src"],
      textIn(childOf(point, "navLabel", "text")),
    );
  const list = findAll(tree, "nav").find((nav) => findIn(nav, "a"));
  for (const link of findAll(list, "a").slice(0, MAX_CHAPTERS))
    add(link.attributes["href"], textIn(link));
  return labels;
}

/** Lists the chapters of the spine that are in the archive, each once, in order. */
function listChapters(archive: Archive, book: Element | undefined, path: string): string[] {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const items = new Map(
    elementsOf(childOf(book, "manifest"), "item").map(({ attributes }) => [
      attributes["id"] ?? "",
      attributes,
    ]),
  );
  const chapters = new Set<string>();
  for (const { attributes } of elementsOf(childOf(book, "spine"), "itemref")) {
    const item = items.get(attributes["idref"] ?? "");
    if (!item || !/html|xml/.test(item["media-type"] ?? "html")) continue;
    // a table of contents repeats the titles of the chapters
    if (/\bnav\b/.test(item["properties"] ?? "")) continue;
    const chapter = resolvePath(folder, decodedPath(item["href"] ?? ""));
    if (archive.has(chapter)) chapters.add(chapter);
  }
  return [...chapters];
}

async function readChapter(
  archive: Archive,
  chapter: string,
  images: ImageStore,
): Promise<Block[]> {
  const folder = chapter.slice(0, chapter.lastIndexOf("/") + 1);
  const picture = (source: string, alt: string) => {
    const target = resolvePath(folder, decodedPath(source));
    return archive.has(target) ? images.show(target, alt) : undefined;
  };
  const html = decodeHtml(await archive.bytes(chapter, MAX_CHAPTER_BYTES));
  return readHtml(html, { xml: true, picture, outward: true }).blocks;
}

function describe(metadata: Element | undefined) {
  const text = (name: string) => textIn(childOf(metadata, name)).trim() || undefined;
  const authors = elementsOf(metadata, "creator")
    .map((creator) => textIn(creator).trim())
    .filter(Boolean)
    .join(", ");
  return { title: text("title"), author: authors || undefined, language: text("language") };
}

function decodedPath(href: string): string {
  const path = href.split("#", 1)[0] ?? "";
  try {
    return decodeURIComponent(path);
  } catch {
    return path; // a name with a bare percent sign is meant as it stands
  }
}
