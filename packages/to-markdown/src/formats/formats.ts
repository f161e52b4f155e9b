import type { ParsedFile } from "../parsed-file.ts";
import { readEncoded, decodeHtml } from "./decode-text.ts";
import { type FileContent, finishFile, type ReadOptions } from "./finish-file.ts";
import { readPlain, readSource } from "./read-plain.ts";

/** Reads a file of one format. Its module is loaded with the first file of that format. */
export interface FormatReader {
  (bytes: Uint8Array, options: ReadOptions): Promise<ParsedFile>;
  /** Reads its blocks alone, for a document inside of another one. */
  content?: (bytes: Uint8Array, options: ReadOptions) => Promise<FileContent>;
}

/** A readable format: its names, how it is recognised, and its reader. */
export interface Format {
  /** A short name, which is also its first extension unless `extensions` says otherwise. */
  kind: string;
  /** The registered media type first, then others in use. */
  mimeTypes: readonly [string, ...string[]];
  /** Without a dot, in lower case. */
  extensions: readonly string[];
  /** Matches the name of an entry that only zip archives of this format have. */
  zipEntry?: RegExp;
  /** Streams of a compound file (Word, Excel, PowerPoint and Outlook before 2007). */
  compoundStreams?: readonly string[];
  /** Whether it is text. Texts are alike, so `sniff-file-type.ts` examines their start. */
  isText?: boolean;
  /**
   * Matches the start of a text, without comments, that only this format has, whatever its name.
   */
  textStart?: RegExp;
  read: FormatReader;
}

const OOXML = "application/vnd.openxmlformats-officedocument";
const ODF = "application/vnd.oasis.opendocument";

type ContentReader = NonNullable<FormatReader["content"]>;

const blocks = (content: ContentReader): FormatReader =>
  Object.assign(
    async (bytes: Uint8Array, options: ReadOptions) =>
      finishFile(await content(bytes, options), options),
    { content },
  );
const text = (read: (text: string) => Promise<FileContent | undefined>): FormatReader =>
  blocks(async (bytes) => {
    const { text: decoded, warnings } = readEncoded(bytes);
    const content = (await read(decoded)) ?? { blocks: [] };
    return { ...content, warnings: [...(content.warnings ?? []), ...warnings] };
  });

const plain =
  (toMarkdown: (text: string) => string | Promise<string>): FormatReader =>
  async (bytes) => {
    const { text: decoded, warnings } = readEncoded(bytes);
    return { ...readPlain(await toMarkdown(decoded)), warnings };
  };

/** Every readable format except PDF. To add one, write its reader and add it here. */
export const FORMATS: readonly Format[] = [
  {
    kind: "docx",
    mimeTypes: [
      `${OOXML}.wordprocessingml.document`,
      "application/vnd.ms-word.document.macroenabled.12",
    ],
    extensions: ["docx", "docm", "dotx"],
    zipEntry: /^\/?word\//i,
    read: blocks(async (...given) =>
      (await import("./docx/read-docx.ts")).readDocx(...given),
    ),
  },
  {
    kind: "xlsx",
    mimeTypes: [
      `${OOXML}.spreadsheetml.sheet`,
      "application/vnd.ms-excel.sheet.macroenabled.12",
    ],
    extensions: ["xlsx", "xlsm", "xltx"],
    zipEntry: /^\/?xl\//i,
    read: blocks(async (...given) =>
      (await import("./xlsx/read-xlsx.ts")).readXlsx(...given),
    ),
  },
  {
    kind: "pptx",
    mimeTypes: [
      `${OOXML}.presentationml.presentation`,
      "application/vnd.ms-powerpoint.presentation.macroenabled.12",
    ],
    extensions: ["pptx", "pptm", "ppsx", "potx"],
    zipEntry: /^\/?ppt\//i,
    read: blocks(async (...given) =>
      (await import("./pptx/read-pptx.ts")).readPptx(...given),
    ),
  },
  {
    kind: "odt",
    mimeTypes: [`${ODF}.text`],
    extensions: ["odt", "ott"],
    read: blocks(async (...given) => (await import("./odf/read-odf.ts")).readOdf(...given)),
  },
  {
    kind: "ods",
    mimeTypes: [`${ODF}.spreadsheet`],
    extensions: ["ods", "ots"],
    read: blocks(async (...given) => (await import("./odf/read-odf.ts")).readOdf(...given)),
  },
  {
    kind: "odp",
    mimeTypes: [`${ODF}.presentation`],
    extensions: ["odp", "otp"],
    read: blocks(async (...given) => (await import("./odf/read-odf.ts")).readOdf(...given)),
  },
  {
    kind: "epub",
    mimeTypes: ["application/epub+zip"],
    extensions: ["epub"],
    zipEntry: /^\/?META-INF\/container\.xml$/i,
    read: blocks(async (...given) => (await import("./read-epub.ts")).readEpub(...given)),
  },
  {
    kind: "doc",
    mimeTypes: ["application/msword"],
    extensions: ["doc", "dot"],
    compoundStreams: ["WordDocument\0"],
    read: blocks(async (...given) =>
      (await import("./legacy/doc/read-doc.ts")).readDoc(...given),
    ),
  },
  {
    kind: "ppt",
    mimeTypes: ["application/vnd.ms-powerpoint"],
    extensions: ["ppt"],
    compoundStreams: ["PowerPoint Document\0"],
    read: blocks(async (...given) =>
      (await import("./legacy/ppt/read-ppt.ts")).readPpt(...given),
    ),
  },
  {
    kind: "msg",
    mimeTypes: ["application/vnd.ms-outlook"],
    extensions: ["msg"],
    compoundStreams: ["__properties_version1.0", "__substg1.0_"],
    read: blocks(async (...given) =>
      (await import("./mail/read-msg.ts")).readMsg(...given),
    ),
  },
  {
    kind: "xls",
    mimeTypes: ["application/vnd.ms-excel"],
    extensions: ["xls"],
    compoundStreams: ["Workbook\0", "Book\0"],
    read: blocks(async (...given) =>
      (await import("./legacy/xls/read-xls.ts")).readXls(...given),
    ),
  },
  {
    kind: "rtf",
    mimeTypes: ["application/rtf", "text/rtf"],
    extensions: ["rtf"],
    read: blocks(async (...given) =>
      (await import("./legacy/rtf/read-rtf.ts")).readRtf(...given),
    ),
  },
  {
    kind: "eml",
    mimeTypes: ["message/rfc822"],
    extensions: ["eml"],
    isText: true,
    read: blocks(async (...given) =>
      (await import("./mail/read-eml.ts")).readEml(...given),
    ),
  },
  {
    kind: "html",
    mimeTypes: ["text/html", "application/xhtml+xml"],
    extensions: ["html", "htm", "xhtml"],
    isText: true,
    read: blocks(async (bytes) => {
      const page = decodeHtml(bytes);
      const { readHtml } = await import("./read-html.ts");
      return readHtml(page, { xml: /^\s*<\?xml/.test(page) });
    }),
  },
  {
    kind: "xml",
    mimeTypes: [
      "application/xml",
      "text/xml",
      "application/rss+xml",
      "application/atom+xml",
    ],
    extensions: ["xml", "rss", "atom", "xsd", "svg"],
    isText: true,
    textStart: /^<(?:svg|rss|feed|urlset)[\s>]/i,
    read: text(async (xml) => {
      const { readFeed } = await import("./read-feed.ts");
      return (await readFeed(xml)) ?? { blocks: readSource(xml, "xml") };
    }),
  },
  {
    kind: "json",
    mimeTypes: ["application/json", "application/x-ndjson"],
    extensions: ["json", "jsonl", "ndjson", "geojson", "ipynb"],
    isText: true,
    read: async (bytes, options) => {
      const { text: json, warnings } = readEncoded(bytes);
      const notebook = (await import("./read-notebook.ts")).readNotebook(json);
      if (notebook !== undefined) return { ...readPlain(notebook), warnings };
      const feed = (await import("./read-feed.ts")).readJsonFeed(json);
      return finishFile(
        { ...(feed ?? { blocks: readSource(json, "json") }), warnings },
        options,
      );
    },
  },
  {
    kind: "vtt",
    mimeTypes: ["text/vtt", "application/x-subrip"],
    extensions: ["vtt", "srt"],
    isText: true,
    textStart: /^WEBVTT(?:\s|$)/,
    read: text(async (subtitles) => ({
      blocks: (await import("./read-subtitles.ts")).readSubtitles(subtitles),
    })),
  },
  {
    kind: "ics",
    mimeTypes: ["text/calendar"],
    extensions: ["ics", "ical", "ifb"],
    isText: true,
    textStart: /^BEGIN:VCALENDAR\s/i,
    read: text(async (calendar) => ({
      blocks: (await import("./read-calendar.ts")).readCalendar(calendar),
    })),
  },
  {
    kind: "vcf",
    mimeTypes: ["text/vcard", "text/x-vcard", "text/directory"],
    extensions: ["vcf", "vcard"],
    isText: true,
    textStart: /^BEGIN:VCARD\s/i,
    read: text(async (cards) => ({
      blocks: (await import("./read-calendar.ts")).readCalendar(cards),
    })),
  },
  {
    kind: "csv",
    mimeTypes: ["text/csv", "application/csv"],
    extensions: ["csv"],
    isText: true,
    read: text(async (csv) => ({
      blocks: (await import("./read-delimited.ts")).readDelimited(csv),
      layout: "sheets",
    })),
  },
  {
    kind: "tsv",
    mimeTypes: ["text/tab-separated-values"],
    extensions: ["tsv", "tab"],
    isText: true,
    read: text(async (tsv) => ({
      blocks: (await import("./read-delimited.ts")).readDelimited(tsv, "\t"),
      layout: "sheets",
    })),
  },
  {
    kind: "parquet",
    mimeTypes: ["application/vnd.apache.parquet"],
    extensions: ["parquet"],
    read: blocks(async (bytes) => ({
      ...(await (await import("./read-parquet.ts")).readParquet(bytes)),
      layout: "sheets",
    })),
  },
  {
    kind: "markdown",
    mimeTypes: ["text/markdown", "text/x-markdown"],
    extensions: ["md", "markdown", "mdown", "mdx", "qmd"],
    isText: true,
    read: plain((text) => text),
  },
  {
    kind: "asciidoc",
    mimeTypes: ["text/asciidoc"],
    extensions: ["adoc", "asciidoc", "asc"],
    isText: true,
    read: plain(async (text) =>
      (await import("./read-asciidoc.ts")).asciidocToMarkdown(text),
    ),
  },
  {
    kind: "text",
    mimeTypes: ["text/plain"],
    extensions: ["txt", "log"],
    isText: true,
    read: plain((text) => text),
  },
];
