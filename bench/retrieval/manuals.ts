import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { toMarkdown } from "../../packages/to-markdown/src/to-markdown.ts";

/** A page of a manual, as a document that is uploaded. */
export interface ManualPage {
  path: string;
  sections: Section[];
  /** What its authors say it is about, and what its text does not contain. */
  description: string | undefined;
  /** The entries of the manual's index that lead to it. */
  indexEntries: string[];
}

interface Section {
  heading: string;
  level: number;
  text: string;
}

export interface Manual {
  name: string;
  language: string;
  pages: ManualPage[];
}

/** Where each manual is in the packages that `fetch-manuals` unpacks, by language. */
const MANUALS: Record<string, Record<string, string>> = {
  libreoffice: {
    en: "usr/share/libreoffice/help/en-US/text",
    de: "usr/share/libreoffice/help/de/text",
    fr: "usr/share/libreoffice/help/fr/text",
    es: "usr/share/libreoffice/help/es/text",
    it: "usr/share/libreoffice/help/it/text",
  },
  gnome: {
    en: "usr/share/help/C/gnome-help",
    de: "usr/share/help/de/gnome-help",
    fr: "usr/share/help/fr/gnome-help",
    es: "usr/share/help/es/gnome-help",
    it: "usr/share/help/it/gnome-help",
  },
  handbook: {
    en: "usr/share/doc/debian-handbook/html/en-US",
    de: "usr/share/doc/debian-handbook/html/de-DE",
    fr: "usr/share/doc/debian-handbook/html/fr-FR",
  },
  gimp: { en: "usr/share/gimp/2.0/help/en" },
};

/**
 * Manuals that no weight was chosen by. `fetch-manuals FOLDER unseen` unpacks them. Once their
 * figures have led to a change, they belong to the others.
 */
const UNSEEN_MANUALS: typeof MANUALS = {
  evolution: {
    en: "usr/share/help/C/evolution",
    de: "usr/share/help/de/evolution",
    fr: "usr/share/help/fr/evolution",
    es: "usr/share/help/es/evolution",
  },
  gimp: {
    de: "usr/share/gimp/2.0/help/de",
    fr: "usr/share/gimp/2.0/help/fr",
    es: "usr/share/gimp/2.0/help/es",
    it: "usr/share/gimp/2.0/help/it",
  },
  postgresql: { en: "usr/share/doc/postgresql-doc-15/html" },
};

/** Reads all manuals in a folder that `fetch-manuals` filled. */
export async function readManuals(folder: string, unseen = false): Promise<Manual[]> {
  const manuals: Manual[] = [];
  for (const [name, languages] of Object.entries(unseen ? UNSEEN_MANUALS : MANUALS))
    for (const [language, path] of Object.entries(languages))
      manuals.push({ name, language, pages: await readPages(join(folder, path)) });
  return manuals;
}

async function readPages(folder: string): Promise<ManualPage[]> {
  const files = (await readdir(folder, { recursive: true })).filter((file) =>
    /\.(html|page)$/.test(file),
  );
  const pages: ManualPage[] = [];
  for (const path of files.toSorted()) {
    const source = await readFile(join(folder, path), "utf8");
    const html = path.endsWith(".page") ? mallardToHtml(source) : contentOf(source);
    const { markdown } = await toMarkdown(Buffer.from(html), { fileName: "page.html" });
    pages.push({
      path,
      sections: sectionsOf(markdown),
      description: textOf(/<desc>(.*?)<\/desc>/s.exec(source)?.[1]),
      indexEntries: [...source.matchAll(/itemprop="keywords" content="([^"]+)"/g)].flatMap(
        ([, entry]) => textOf(entry) ?? [],
      ),
    });
  }
  return pages;
}

/** GNOME's pages are written in Mallard. */
function mallardToHtml(page: string): string {
  const body = page
    .replace(/<info>.*?<\/info>/gs, "")
    .replace(/<note[^>]*>\s*<title>(.*?)<\/title>/gs, "<p><b>$1</b></p>");
  let level = 1;
  const tags = /<(\/?)(page|section|title|item|steps|list)\b[^>]*>/g;
  const html = body.replace(tags, (_, end: string, name: string) => {
    if (name === "section") level += end ? -1 : 1;
    if (name === "title") return `<${end}h${level}>`;
    if (name === "item") return `<${end}li>`;
    if (name === "steps" || name === "list") return `<${end}ul>`;
    return "";
  });
  return `<html><body>${html}</body></html>`;
}

/** The content of an HTML page, without the navigation that is on every page of a manual. */
function contentOf(source: string): string {
  const content = /id="DisplayArea".*|<body.*/s.exec(source)?.[0] ?? source;
  const inner = content
    .replace(/^[^>]*>/, "")
    .replace(/<div class="nav(header|footer)">.*?<\/table>/gs, "")
    .replace(/<ul class="docnav".*?<\/ul>/gs, "")
    .replace(/<(p id="title"|div class="bottom|div id="DonationFrame).*?<\/\1>/gs, "");
  return `<html><body>${inner}</body></html>`;
}

function sectionsOf(markdown: string): Section[] {
  const sections: Section[] = [];
  const prose = markdown.replace(/^```.*?^```/gms, (code) => code.replaceAll("#", ""));
  for (const part of prose.split(/^(?=#{1,6} )/m)) {
    const found = /^(#{1,6}) (.*)\n?/.exec(part);
    const text = textOf(found ? part.slice(found[0].length) : part) ?? "";
    const heading = textOf(found?.[2])?.replace(/^[\d.]+\s+/, "") ?? "";
    sections.push({ heading, level: found?.[1]?.length ?? 0, text });
  }
  return sections.filter(({ level }) => level > 0);
}

/** Plain text of a piece of markdown or HTML, without pictures and the addresses of links. */
function textOf(piece: string | undefined): string | undefined {
  const text = piece
    ?.replace(/!\[[^\]]*\]\([^)]*\)/g, "")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/<[^>]+>/g, " ")
    .replace(/&(?:quot|amp|lt|gt|#39);/g, " ")
    .replace(/[*`_\\|]+/g, " ")
    .replace(/[ \t]+/g, " ")
    .trim();
  return text === "" ? undefined : text;
}
