/** Quotation marks that stand around a title, of several languages and of code. */
const PAIRS: readonly (readonly [string, string])[] = [
  ['"', '"'],
  ["'", "'"],
  ["`", "`"],
  ["“", "”"],
  ["„", "“"],
  ["„", "”"],
  ["”", "”"],
  ["‘", "’"],
  ["‚", "‘"],
  ["«", "»"],
  ["»", "«"],
  ["‹", "›"],
  ["「", "」"],
  ["『", "』"],
  ["《", "》"],
  ["**", "**"],
  ["*", "*"],
  ["__", "__"],
  ["_", "_"],
  ["[", "]"],
];
const NAMES =
  "title|titel|titre|título|titulo|titolo|otsikko|tytuł|başlık|заголовок|название|标题|標題|タイトル|제목";
const LABEL = new RegExp(
  `^["']?(?:(?:conversation|chat|suggested|short) )?(?:${NAMES})["']?(?:\\s?[:：]| [-–—] )`,
  "i",
);
/** A label without a title. */
const BARE_LABEL = new RegExp(`^(?:${NAMES})$`, "i");
/** A sentence that names a title, which stands in quotation marks or in bold after a colon. */
const SENTENCE = new RegExp(
  `^[^:：*]{0,80}(?:${NAMES})[^:：*]{0,60}[:：]\\s*(?=["“„«‹「『*])`,
  "i",
);
/** Marks of chat templates that servers forget to take off. */
const TEMPLATE_MARK = /(?:<\|[\w ]{1,30}\|>|<\/?s>|<end_of_turn>|<eos>)+$/;
const MARK = /^(?:#{1,6}|>|[-*+•]|\d{1,2}[.)])\s+/;
/** As models answer that were trained on mathematics. */
const BOX = /^\\(?:boxed|text|textbf)\{(.{1,500})\}$/;
const INTRODUCTION = /[:：]$/;
const FENCE = /^(?:```|~~~)/;
const BOLD = /\*\*([^*]+)\*\*/g;
/** Code and links within the words: the list of conversations shows titles as they stand. */
const CODE = /`([^`]+)`/g;
const LINK = /\[([^\][]{1,200})\]\([^()\s]{1,500}\)/g;
/** Numbers of sources, at the end or between words; `a[1] = 2` is none. */
const CITATIONS = /\s(?:\[\d{1,2}\])+(?=\s|$)|(?<![\]\s])(?:\[\d{1,2}\])+$/g;
/** One dot after a word of at least two letters: no abbreviation, and no dots that go on. */
const LAST_DOT = /(?<=[^\s.][^\s.])[.。]$/;
const MAX_LAYERS = 8;

/**
 * The title in what a model answered when it was asked for one: models add labels, quotation marks,
 * Markdown, JSON, an introduction or an explanation. @returns "" when there is none.
 */
export function readTitle(answer: string): string {
  const text = afterThinking(answer).trim();
  const named = titleInJson(withoutFences(text));
  const title = unwrap((named ?? firstLine(text)).replace(/\s+/g, " "));
  return title.replace(LINK, "$1").replace(CODE, "$1").replace(CITATIONS, "");
}

/** Some models write what they think before the answer; without an end there is no answer. */
function afterThinking(text: string): string {
  const [, tag] = /^\s*<(think|thinking|reasoning)>/i.exec(text) ?? [];
  if (tag === undefined) return text;
  const end = `</${tag.toLowerCase()}>`;
  const at = text.toLowerCase().lastIndexOf(end);
  return at < 0 ? "" : text.slice(at + end.length);
}

function withoutFences(text: string): string {
  const lines = text.split("\n").filter((line) => !FENCE.test(line.trim()));
  return lines.join("\n").trim();
}

/** The title of an object, or the first text of an object or a list. */
function titleInJson(text: string): string | undefined {
  if (!/^[{["]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "string") return value;
    const { title } = Object(value) as { title?: unknown };
    const texts = [title, ...Object.values(Object(value))];
    return texts.find((one): one is string => typeof one === "string");
  } catch {
    return undefined; // quotation marks or brackets of the title itself
  }
}

/** The first line with text that does not only introduce the next one. */
function firstLine(text: string): string {
  const lines = withoutFences(text)
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !/^[-=*_]{3,}$/.test(line));
  const bare = lines.map((line) => unwrap(line));
  const isTitle = (line: string) =>
    line !== "" && !INTRODUCTION.test(line) && !BARE_LABEL.test(line);
  // a label alone is the title where nothing follows it
  const found = lines.find((_, at) => isTitle(bare[at] ?? ""));
  return found ?? bare.find((line) => BARE_LABEL.test(line)) ?? "";
}

/** Takes off layer by layer what stands around the title. */
function unwrap(line: string): string {
  let title = line.trim();
  for (let layer = 0; layer < MAX_LAYERS; layer += 1) {
    const inner = withoutLayer(title).trim();
    if (inner === title) break;
    title = inner;
  }
  return title;
}

function withoutLayer(title: string): string {
  const inner = withoutPair(
    title.replace(SENTENCE, "").replace(BOLD, "$1").replace(MARK, ""),
  );
  return withoutTag(inner)
    .replace(TEMPLATE_MARK, "")
    .replace(BOX, "$1")
    .replace(LABEL, "")
    .replace(LAST_DOT, "");
}

/** Marks around the whole alone: those within belong to the words. */
function withoutPair(title: string): string {
  for (const [open, close] of PAIRS) {
    const inside = title.slice(open.length, -close.length);
    const isAround = title.startsWith(open) && title.endsWith(close) && inside !== "";
    if (isAround && !inside.includes(open) && !inside.includes(close)) return inside;
  }
  return title;
}

function withoutTag(title: string): string {
  const [open, name] = /^<(title|h[1-6]|b|strong|p)>/i.exec(title) ?? [];
  if (open === undefined) return title;
  const close = `</${name ?? ""}>`;
  return title.toLowerCase().endsWith(close.toLowerCase())
    ? title.slice(open.length, -close.length)
    : title;
}
