import {
  buildZip,
  relationships,
} from "../../packages/to-markdown/src/formats/build-zip.test-support.ts";

/** A sentence that only one document has, and where it stands there. */
export interface PlacedFact {
  sentence: string;
  /** The page or slide; null where the file does not say it. */
  pageNumber: number | null;
  kind: "page" | "slide" | "sheet" | "chapter" | "section";
  /** The heading, sheet or chapter that has it. */
  name: string;
  row?: number;
}

export interface PlacedDocument {
  fileName: string;
  bytes: Buffer;
  facts: PlacedFact[];
}

/** A heading with paragraphs, one of which is the fact. */
interface Section {
  title: string;
  paragraphs: string[];
  fact: string;
}

const SYLLABLES = "ba ce di fo gu ka le mi no pu ra se ti vo zu".split(" ");
const FILLER =
  "The committee met again in spring and compared the reports of every district with care. " +
  "Nobody objected to the plan, though several members asked for further figures. " +
  "It was agreed that the work should go on as before until the next inspection. ";

/** A word that no other number has. */
function nameOf(number: number): string {
  let rest = number * 2_654_435 + 97_531;
  let word = "";
  for (let at = 0; at < 5; at += 1) {
    word += SYLLABLES[rest % SYLLABLES.length];
    rest = Math.floor(rest / SYLLABLES.length);
  }
  return word[0]?.toUpperCase() + word.slice(1);
}

/** Sections of different lengths: several are in a chunk, or a section is in several chunks. */
function makeSections(document: number): Section[] {
  return Array.from({ length: 4 + (document % 3) }, (_, index) => {
    const number = document * 10 + index;
    const fact = `The bridge of ${nameOf(number)} carries ${number + 1_000} carts a day.`;
    const filler = Array.from({ length: 1 + ((document + index) % 5) }, () =>
      FILLER.repeat(2),
    );
    const at = (document + index) % (filler.length + 1);
    return {
      title: `On ${nameOf(number + 5_000)}`,
      paragraphs: filler.toSpliced(at, 0, fact),
      fact,
    };
  });
}

const FORMATS = { docx, odt, html, epub, xlsx, pptx, rtf };
const DOCUMENTS_PER_FORMAT = 10;

/** Makes seventy documents in seven formats; half of those that can say their pages do. */
export function makePlacedDocuments(): PlacedDocument[] {
  return Object.entries(FORMATS).flatMap(([format, make], kind) =>
    Array.from({ length: DOCUMENTS_PER_FORMAT }, (_, index) => {
      const number = kind * DOCUMENTS_PER_FORMAT + index;
      const { bytes, facts } = make(makeSections(number), index % 2 === 0);
      return { fileName: `report-${number}.${format}`, bytes, facts };
    }),
  );
}

type Made = Omit<PlacedDocument, "fileName">;

const bySection = (sections: readonly Section[], kind: PlacedFact["kind"]): PlacedFact[] =>
  sections.map(({ fact, title }) => ({
    sentence: fact,
    pageNumber: null,
    kind,
    name: title,
  }));

/** Where pages end in a laid out text: after every second paragraph. */
function layOutPages(sections: readonly Section[]) {
  let count = 0;
  const pageOf = new Map<string, number>();
  const paragraphs = sections.flatMap(({ title, paragraphs: texts, fact }) =>
    [title, ...texts].map((text, index) => {
      count += 1;
      const page = Math.ceil(count / 2);
      if (text === fact) pageOf.set(fact, page);
      return { text, isTitle: index === 0, begins: count % 2 === 1 && count > 1 };
    }),
  );
  const facts = sections.map(({ fact, title }): PlacedFact => ({
    sentence: fact,
    pageNumber: pageOf.get(fact) ?? 0,
    kind: "page",
    name: title,
  }));
  const characters = paragraphs.reduce(
    (sum, { text }) => sum + text.replace(/\s/g, "").length,
    0,
  );
  return { paragraphs, facts, pages: Math.ceil(count / 2), characters };
}

function docx(sections: readonly Section[], isLaidOut: boolean): Made {
  const { paragraphs, facts, pages, characters } = layOutPages(sections);
  const body = paragraphs.map(({ text, isTitle, begins }) => {
    const style = isTitle ? '<w:pPr><w:outlineLvl w:val="0"/></w:pPr>' : "";
    // an author ends a page by hand here and there, laid out or not
    const byHand = isTitle && begins ? '<w:p><w:r><w:br w:type="page"/></w:r></w:p>' : "";
    const mark = begins && isLaidOut ? "<w:lastRenderedPageBreak/>" : "";
    return `${byHand}<w:p>${style}<w:r>${mark}<w:t>${text}</w:t></w:r></w:p>`;
  });
  const bytes = buildZip({
    "_rels/.rels": relationships({
      rId1: ["officeDocument", "word/document.xml"],
      rId2: ["extended-properties", "docProps/app.xml"],
    }),
    "word/document.xml": `<w:document><w:body>${body.join("")}</w:body></w:document>`,
    "docProps/app.xml": `<Properties><Pages>${isLaidOut ? pages : 1}</Pages><Characters>${isLaidOut ? characters : 0}</Characters></Properties>`,
  });
  return { bytes, facts: isLaidOut ? facts : bySection(sections, "section") };
}

function odt(sections: readonly Section[], isLaidOut: boolean): Made {
  const { paragraphs, facts, pages } = layOutPages(sections);
  const body = paragraphs.map(({ text, isTitle, begins }) => {
    const mark = begins && isLaidOut ? "<text:soft-page-break/>" : "";
    return isTitle
      ? `${mark}<text:h text:outline-level="1">${text}</text:h>`
      : `${mark}<text:p>${text}</text:p>`;
  });
  const bytes = buildZip({
    mimetype: "application/vnd.oasis.opendocument.text",
    "content.xml": `<office:document-content><office:body><office:text>${body.join("")}</office:text></office:body></office:document-content>`,
    "meta.xml": `<office:document-meta><office:meta><meta:document-statistic meta:page-count="${pages}"/></office:meta></office:document-meta>`,
  });
  return { bytes, facts: isLaidOut ? facts : bySection(sections, "section") };
}

const htmlOf = ({ title, paragraphs }: Section) =>
  `<h2>${title}</h2>${paragraphs.map((text) => `<p>${text}</p>`).join("")}`;

function html(sections: readonly Section[]): Made {
  const body = sections.map(htmlOf).join("");
  return {
    bytes: Buffer.from(`<!doctype html><html><body><main>${body}</main></body></html>`),
    facts: bySection(sections, "section"),
  };
}

function epub(sections: readonly Section[]): Made {
  const ids = sections.map((_, index) => `c${index}`);
  const items = ids.map(
    (id) => `<item id="${id}" href="${id}.xhtml" media-type="application/xhtml+xml"/>`,
  );
  const chapters = sections.map((section, index) => [
    `O/c${index}.xhtml`,
    `<html xmlns="http://www.w3.org/1999/xhtml"><body>${htmlOf(section)}</body></html>`,
  ]);
  const bytes = buildZip({
    mimetype: "application/epub+zip",
    "META-INF/container.xml":
      '<container><rootfiles><rootfile full-path="O/book.opf"/></rootfiles></container>',
    "O/book.opf": `<package><metadata/><manifest>${items.join("")}</manifest><spine>${ids.map((id) => `<itemref idref="${id}"/>`).join("")}</spine></package>`,
    ...(Object.fromEntries(chapters) as Record<string, string>),
  });
  return { bytes, facts: bySection(sections, "chapter") };
}

/** Every section is a sheet, whose rows begin below an empty row. */
function xlsx(sections: readonly Section[]): Made {
  const facts: PlacedFact[] = [];
  const sheets = sections.map(({ title, fact }, sheet) => {
    const at = 20 + sheet * 7;
    const rows = Array.from({ length: 60 }, (_, index) => {
      const row = index + 3;
      const text = row === at ? fact : `Entry ${row} of the register, as it was counted`;
      if (row === at)
        facts.push({ sentence: fact, pageNumber: null, kind: "sheet", name: title, row });
      const cell = (column: string, value: string) =>
        `<c r="${column}${row}" t="inlineStr"><is><t>${value}</t></is></c>`;
      return `<row r="${row}">${cell("A", `No. ${row}`)}${cell("B", text)}</row>`;
    });
    return `<worksheet><sheetData>${rows.join("")}</sheetData></worksheet>`;
  });
  const ids = sections.map(({ title }, index) => ({ title, id: `rId${index + 1}` }));
  const names = ids
    .map(({ title, id }) => `<sheet name="${title}" r:id="${id}"/>`)
    .join("");
  const bytes = buildZip({
    "_rels/.rels": relationships({ rId1: ["officeDocument", "xl/workbook.xml"] }),
    "xl/workbook.xml": `<workbook><sheets>${names}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relationships(
      Object.fromEntries(
        ids.map(({ id }, index) => [id, ["worksheet", `worksheets/s${index}.xml`]]),
      ),
    ),
    ...Object.fromEntries(
      sheets.map((sheet, index) => [`xl/worksheets/s${index}.xml`, sheet]),
    ),
  });
  return { bytes, facts };
}

/** Every section is a slide; every other one has no title. */
function pptx(sections: readonly Section[]): Made {
  const shape = (kind: string, texts: readonly string[]) =>
    `<p:sp><p:nvSpPr><p:cNvPr id="1" name="x"/><p:nvPr><p:ph type="${kind}"/></p:nvPr></p:nvSpPr><p:txBody>${texts.map((text) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`).join("")}</p:txBody></p:sp>`;
  const slides = sections.map(({ title, paragraphs }, index) => [
    `ppt/slides/s${index}.xml`,
    `<p:sld><p:cSld><p:spTree>${index % 2 === 0 ? shape("title", [title]) : ""}${shape("body", paragraphs)}</p:spTree></p:cSld></p:sld>`,
  ]);
  const ids = sections.map((_, index) => `rId${index + 1}`);
  const bytes = buildZip({
    "_rels/.rels": relationships({ rId1: ["officeDocument", "ppt/presentation.xml"] }),
    "ppt/presentation.xml": `<p:presentation><p:sldIdLst>${ids.map((id) => `<p:sldId r:id="${id}"/>`).join("")}</p:sldIdLst></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": relationships(
      Object.fromEntries(ids.map((id, index) => [id, ["slide", `slides/s${index}.xml`]])),
    ),
    ...(Object.fromEntries(slides) as Record<string, string>),
  });
  const facts = sections.map(({ fact, title }, index): PlacedFact => ({
    sentence: fact,
    pageNumber: index + 1,
    kind: "slide",
    name: index % 2 === 0 ? title : "",
  }));
  return { bytes, facts };
}

/** It never says its pages; an author ends some by hand. */
function rtf(sections: readonly Section[], hasBreaks: boolean): Made {
  const body = sections.flatMap(({ title, paragraphs }, index) => [
    hasBreaks && index % 2 === 1 ? "\\page" : "",
    `{\\pard\\outlinelevel0\\b ${title}\\par}`,
    ...paragraphs.map((text) => `{\\pard ${text}\\par}`),
  ]);
  return {
    bytes: Buffer.from(`{\\rtf1\\ansi\\deff0{\\fonttbl{\\f0 Times;}}${body.join("\n")}}`),
    facts: bySection(sections, "section"),
  };
}
