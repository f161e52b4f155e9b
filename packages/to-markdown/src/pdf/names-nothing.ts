import type { BodyType } from "./build-blocks.ts";
import { type Block, type Segment, textOf } from "./layout.ts";

/** The words that begin the title of a figure, with a number or a colon behind them. */
const CAPTION =
  /^(?:fig(?:ure|\.)?|table|tab\.|chart|diagram|graph|exhibit|scheme|plate|photo|map|box|abb(?:ildung|\.)?|tabelle|diagramm|grafik|figura|tabla|cuadro|gráfico|tableau|graphique|schéma|tabella|figuur|图|表|図|그림|표)\s*(?:\p{N}|[ivxlc]{1,6}\b|[a-z]?[.-]?\p{N}|:)/iu;
/** What some layouts set at the end of such a title. */
const LABEL_BEHIND =
  /\s(?:figure|table|chart|diagram|graph|exhibit|map|abbildung|tabelle|diagramm|grafik)\s\p{N}{1,3}$/iu;
/** Where the data of a figure comes from, and what is said below it. */
const SOURCE =
  /^(?:sources?|data source|notes?|quelle|anmerkung|fuente|nota|fonte|bron|来源|資料|注)\s*[:：]/iu;
/** Large numbers and shares, which stand in rows of a table. */
const AMOUNT =
  /(?:^|\s)[+-]?(?:\p{Sc}\s?)?\d{1,3}(?:[,.\u00a0]\d{3})+(?:[.,]\d+)?$|\s\d+(?:[.,]\d+)?\s?%$/u;
/** How somebody is reached. */
const CONTACT =
  /\S@\w|https?:\/\/|\bwww\.|^(?:tel|fax|phone|telephone|mobile|e-?mail|telefon|téléphone)\b[^\p{L}]*\p{N}/iu;
/** What is said aside, such as the unit of the amounts below. */
const ASIDE = /^[(（][^()（）]+[)）]$/u;
/** The number of a page, also of an annex, beside other words or alone. */
const PAGE_NUMBER = /^\p{N}{1,4}\s|(?:^|\s)(?:\p{Lu}{1,2}[-–])?\p{N}{1,4}$/u;
/** A remark to what stands above. */
const REMARK = /^[*†‡※]/u;
/** A line that was cut off, by whatever is beside it. */
const GOES_ON =
  /\s(?:and|or|of|the|an?|in|for|to|with|by|from|und|oder|der|die|das|de|et|y)$/iu;
const NUMBERED = /^\p{N}+(?:\.\p{N}+)*\.?\s/u;
/** A line of a table of contents ends with a page. */
const ENDS_WITH_PAGE = /[^\d.,\s]\s{1,3}\d{1,3}$/u;
/** Numbers, ranges and shares alone. */
const VALUES = /^[\p{N}\s.,%<>+–-]{1,40}$/u;
/** Lines of one title are less than this many ems apart. */
const CLOSE = 0.9;
const MIN_CONTENTS = 3;
/** A person has no more names, and the address follows in so many blocks and lines. */
const MAX_NAMES = 6;
const NEAR_BLOCKS = 3;
const NEAR_LINES = 8;
const SENTENCE_END = /[:：]$/;
const MAX_LEAD_IN = 60;
/** Words are this many ems apart in the cells of a row. */
const CELL_GAP = 1.8;
/** The part of a page's height that holds what is repeated on each page. */
const MARGIN = 0.09;
/** Running heads are set no larger than this, in sizes of the body text. */
const RUNNING = 1.2;

/** Whether a line begins the title of a figure, or says where its data is from. */
export const isCaption = (text: string): boolean => CAPTION.test(text) || SOURCE.test(text);

interface Place {
  block: Block & { lines: Segment[] };
  /** Of the whole page, in reading order. */
  blocks: readonly Block[];
  index: number;
  pageHeight: number;
  body: BodyType;
}

/**
 * Whether lines that are set like a heading name no part of the text: the title of a figure, a
 * row of figures, a sentence that leads on, or what runs along the margin of each page.
 */
export function namesNothing(place: Place): boolean {
  const { lines } = place.block;
  const text = lines.map(textOf).join(" ").trim();
  return (
    lines.some((line) => CAPTION.test(textOf(line).trim())) ||
    SOURCE.test(text) ||
    AMOUNT.test(text) ||
    CONTACT.test(text) ||
    ASIDE.test(text) ||
    REMARK.test(text) ||
    isOfContents(text, place) ||
    continuesCaption(place) ||
    isOfAxis(place) ||
    isPerson(text, place) ||
    (SENTENCE_END.test(text) && text.length > MAX_LEAD_IN) ||
    continuesSentence(text, place) ||
    lines.some(isRowOfCells) ||
    runsInMargin(text, place)
  );
}

/** A part of a sentence in the size of the text, or nearly. */
function continuesSentence(text: string, { block, body }: Place): boolean {
  const isLarge = block.lines.every(({ size }) => size > body.size * 1.3);
  const begins = /^\p{Ll}{2,}\s/u.test(text) && text.split(" ").length > 3;
  const ends = GOES_ON.test(text) && !NUMBERED.test(text);
  return !isLarge && (begins || ends);
}

/** The next line of a figure's title, set as its first one and close below it. */
function continuesCaption({ block, blocks, index }: Place): boolean {
  const before = blocks[index - 1];
  const [first] = block.lines;
  if (!first || !before || !("lines" in before)) return false;
  const last = before.lines.at(-1);
  if (!last || Math.abs(last.size - first.size) > 0.1) return false;
  const title = before.lines.map(textOf).join(" ").trim();
  const isClose = first.top - last.bottom < first.size * CLOSE;
  return isClose && (CAPTION.test(title) || LABEL_BEHIND.test(title));
}

/** One of the labels along an axis, which are numbers and ranges below or above it. */
function isOfAxis({ blocks, index }: Place): boolean {
  const beside = (step: 1 | -1) =>
    [1, 2].every((far) => {
      const block = blocks[index + step * far];
      return (
        block !== undefined &&
        "lines" in block &&
        VALUES.test(block.lines.map(textOf).join(" "))
      );
    });
  return beside(1) || beside(-1);
}

/** A name, above an address of mail that is made of it. */
function isPerson(text: string, { blocks, index }: Place): boolean {
  const names = text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
  if (names.length > MAX_NAMES) return false;
  const below = blocks
    .slice(index + 1, index + 1 + NEAR_BLOCKS)
    .flatMap((block) => ("lines" in block ? block.lines.map(textOf) : []))
    .slice(0, NEAR_LINES);
  return below.some((line) => {
    const address = /(\S{1,64})@\S/.exec(line)?.[1]?.toLowerCase() ?? "";
    return names.some((name) => address.includes(name));
  });
}

/** One of several lines that end with a page, each with a later one. */
function isOfContents(text: string, { blocks }: Place): boolean {
  if (!ENDS_WITH_PAGE.test(text)) return false;
  const pages = blocks
    .flatMap((block) => ("lines" in block ? block.lines.map(textOf) : []))
    .filter((line) => ENDS_WITH_PAGE.test(line))
    .map((line) => Number(/\d+$/.exec(line)?.[0]));
  const rising = pages.filter((page, index) => page >= (pages[index - 1] ?? 0));
  return pages.length >= MIN_CONTENTS && rising.length >= pages.length * 0.8;
}

/** Several words, or groups of them, that stand apart as the heads of columns do. */
function isRowOfCells({ words, size }: Segment): boolean {
  let gaps = 0;
  for (const [index, word] of words.entries()) {
    const next = words[index + 1];
    if (next && next.left - word.right > size * CELL_GAP) gaps += 1;
  }
  return gaps >= 2;
}

/** A single line at the edge of a page, of no great size: its title or its number runs along. */
function runsInMargin(
  text: string,
  { block, blocks, index, pageHeight, body }: Place,
): boolean {
  const [line] = block.lines;
  if (!line || block.lines.length > 1 || blocks.length < 3) return false;
  const isEdge = index === 0 || index === blocks.length - 1;
  const isInMargin =
    line.bottom < pageHeight * MARGIN || line.top > pageHeight * (1 - MARGIN);
  if (!isEdge || !isInMargin) return false;
  return line.size <= body.size * RUNNING || PAGE_NUMBER.test(text);
}
