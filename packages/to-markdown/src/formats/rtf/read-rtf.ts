import { type Block, paragraph, raised, type Run, textOf } from "../blocks.ts";
import type { FileContent, ReadOptions } from "../finish-file.ts";
import { imageStore } from "../image-store.ts";
import { tooComplex } from "../refuse-file.ts";
import { charsetName, codePageName, decodePage } from "./code-pages.ts";
import {
  CHARACTERS,
  type Destination,
  lookOf,
  resetCharacters,
  resetParagraph,
  type RtfState,
  SKIPPED,
  START,
} from "./rtf-state.ts";
import { rtfLists } from "./rtf-lists.ts";
import { rtfTables } from "./rtf-tables.ts";
import { rtfTokens } from "./tokens.ts";

const DEEPEST = 50_000;
const MAX_PICTURE_BYTES = 20 * 2 ** 20;

/**
 * Rich text. Source: RTF specification 1.9.1. What is not closed ends with the file.
 * @throws TooLarge `too_complex`.
 */
export async function readRtf(
  bytes: Uint8Array,
  { extractImages, signal }: ReadOptions,
): Promise<FileContent> {
  const reader = rtfReader(imageStore(extractImages), extractImages === true);
  let count = 0;
  for (const token of rtfTokens(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1"),
  )) {
    count += 1;
    if (count % 100_000 === 0) signal?.throwIfAborted();
    if (token.kind === "open") reader.open();
    else if (token.kind === "close") reader.close();
    else if (token.kind === "word") reader.word(token.name, token.value);
    else if (token.kind === "byte") reader.byte(token.value);
    else if (token.kind === "text") reader.text(token.text);
  }
  return reader.finish();
}

function rtfReader(images: ReturnType<typeof imageStore>, keepImages: boolean) {
  const stack: RtfState[] = [];
  let state: RtfState = { ...START };
  const blocks: Block[] = [];
  const tables = rtfTables();
  let runs: Run[] = [];
  /** What the cell that is open holds. */
  let cell: Block[] = [];
  let marker = "";
  const lists = rtfLists();
  let bytes: number[] = [];
  let skip = 0;
  let starred = false;
  let codePage = "windows-1252";
  const fonts = new Map<number, string>();
  const headings = new Map<number, number>();
  const captured: Record<"title" | "author" | "instruction" | "styles" | "picture", string> = {
    title: "",
    author: "",
    instruction: "",
    styles: "",
    picture: "",
  };
  /** Field results take the address that their instruction named. */
  const links: (string | undefined)[] = [];
  const notes: Run[][] = [];
  let note: Run[] | undefined;
  let noteDepth = 0;

  const flushBytes = () => {
    if (bytes.length === 0) return;
    const text = decodePage(bytes, fonts.get(state.font) ?? codePage);
    bytes = [];
    put(text);
  };

  const put = (text: string) => {
    const { destination, hidden, up } = state;
    if (destination === "marker") marker += text;
    else if (
      destination === "title" ||
      destination === "author" ||
      destination === "instruction" ||
      destination === "styles" ||
      destination === "picture"
    ) {
      if (captured[destination].length < MAX_PICTURE_BYTES * 2) captured[destination] += text;
    } else if ((destination === "body" || destination === "note") && !hidden)
      (note ?? runs).push({ ...lookOf(state), text: up ? raised(text) : text });
  };

  const endParagraph = () => {
    const text = textOf(runs).trim();
    const filled = text !== "" || runs.some(({ image }) => image !== undefined);
    const level = state.outline ?? headings.get(state.style);
    const mark = marker.trim();
    marker = "";
    const own = runs;
    runs = [];
    if (!filled) return;
    const into = state.inTable ? cell : blocks;
    if (!state.inTable && tables.isOpen()) blocks.push(...tables.finish());
    const item = lists.itemOf(mark, state);
    if (item) into.push(paragraph(own, item));
    else if (level !== undefined && !state.inTable)
      into.push({ kind: "heading", level, runs: own });
    else into.push(paragraph(own));
  };

  const endCell = () => {
    endParagraph();
    // the paragraph may have been outside by its own word
    tables.endCell(cell);
    cell = [];
  };

  const writeNotes = () => {
    for (const runsOfNote of notes.splice(0)) blocks.push(paragraph(runsOfNote));
  };

  const breakPage = () => {
    endParagraph();
    if (state.inTable) return;
    blocks.push(...tables.finish());
    writeNotes();
    blocks.push({ kind: "page" });
  };

  let noteCount = 0;
  const startNote = () => {
    noteCount += 1;
    runs.push({ raw: true, text: `[^${noteCount}]` });
    note = [{ raw: true, text: `[^${noteCount}]: ` }];
    noteDepth = stack.length;
  };

  const destinations: Record<string, Destination> = {
    fonttbl: "fonts",
    stylesheet: "styles",
    title: "title",
    author: "author",
    fldinst: "instruction",
    listtext: "marker",
    pntext: "marker",
    pict: "picture",
  };

  const controls: Record<string, (value: number | undefined) => void> = {
    b: (value) => (state.bold = value !== 0),
    i: (value) => (state.italic = value !== 0),
    strike: (value) => (state.strike = value !== 0),
    striked: (value) => (state.strike = value !== 0),
    v: (value) => (state.hidden = value !== 0),
    super: () => (state.up = true),
    nosupersub: () => (state.up = false),
    plain: () => resetCharacters(state),
    pard: () => resetParagraph(state),
    par: () => (note ? put(" ") : endParagraph()),
    sect: endParagraph,
    page: breakPage,
    sectd: () => undefined,
    cell: endCell,
    nestcell: () => put(" "),
    nestrow: () => put("\n"),
    row: () => tables.endRow(),
    trowd: () => tables.startRow(),
    intbl: () => (state.inTable = true),
    ansicpg: (value) => (codePage = codePageName(value ?? 1252)),
    mac: () => (codePage = "macintosh"),
    uc: (value) => (state.fallback = Math.max(0, Math.min(20, value ?? 1))),
    s: (value) => (state.style = value ?? -1),
    f: (value) => (state.font = value ?? -1),
    fcharset: (value) => {
      const name = charsetName(value ?? 0);
      if (state.destination === "fonts" && name) fonts.set(state.font, name);
    },
    ilvl: (value) => (state.level = Math.max(0, Math.min(8, value ?? 0))),
    ls: (value) => (state.list = value ?? 0),
    li: (value) => (state.indent = value ?? 0),
    outlinelevel: (value) => {
      const level = value !== undefined && value >= 0 && value < 9 ? value + 1 : undefined;
      if (state.destination === "styles") {
        if (level !== undefined) headings.set(state.style, level);
      } else state.outline = level;
    },
    footnote: startNote,
    pagebb: breakPage,
    u: (value) => {
      put(String.fromCharCode((value ?? 0) & 0xffff));
      skip = state.fallback;
    },
  };

  return {
    open() {
      flushBytes();
      if (stack.length >= DEEPEST)
        throw tooComplex(`it is nested more than ${DEEPEST} levels deep`);
      stack.push(state);
      state = { ...state };
      starred = false;
      skip = 0;
    },
    close() {
      flushBytes();
      const ended = state;
      const outer = stack.pop();
      if (!outer) return;
      if (ended.destination === "styles" && outer.destination === "styles") {
        const level = /^\s*heading (\d)/i.exec(captured.styles)?.[1];
        if (level && ended.style >= 0) headings.set(ended.style, Number(level));
        if (/^\s*title;?/i.test(captured.styles) && ended.style >= 0) headings.set(ended.style, 1);
        captured.styles = "";
      }
      if (ended.destination === "instruction" && outer.destination !== "instruction") {
        links.push(
          /HYPERLINK\s+"([^"]{1,2000})"/i.exec(captured.instruction)?.[1] ??
            /HYPERLINK\s+([^\s"\\]{1,2000})/i.exec(captured.instruction)?.[1],
        );
        captured.instruction = "";
      }
      if (ended.destination === "picture" && outer.destination !== "picture") {
        const hex = captured.picture.replace(/[^\da-f]/gi, "");
        captured.picture = "";
        if (hex.length > 200) {
          const picture = Buffer.from(hex, "hex");
          const name = `image${images.keep(keepImages ? picture : Buffer.alloc(0), "picture").replace("picture", "")}`;
          if (outer.destination === "body" && !outer.hidden) runs.push({ text: "", image: name });
        }
      }
      if (note && stack.length < noteDepth) {
        notes.push(note.filter(({ text }, index) => index !== 1 || text.trim() !== ""));
        note = undefined;
      }
      state = outer;
      starred = false;
    },
    word(name: string, value: number | undefined) {
      if (name !== "'") flushBytes();
      const after = starred;
      starred = name === "*";
      if (name === "*" || (skip > 0 && name in CHARACTERS)) {
        if (name !== "*") skip -= 1;
        return;
      }
      if (state.destination === "skip") return;
      if (Object.hasOwn(destinations, name)) state.destination = destinations[name] ?? "skip";
      else if (name === "fldrslt") state.href = links.pop() ?? state.href;
      else if (SKIPPED.has(name)) state.destination = "skip";
      else if (after && !/^(?:shppict|nesttableprops|ud|footnote)$/.test(name))
        state.destination = "skip";
      else if (/^cl(?:vmgf|vmrg|mgf|mrg)$|^cellx$/.test(name)) tables.plan(name, value);
      else if (Object.hasOwn(CHARACTERS, name)) put(CHARACTERS[name] ?? "");
      else if (name === "\n" || name === "\r") controls["par"]?.(undefined);
      else if (Object.hasOwn(controls, name)) controls[name]?.(value);
    },
    byte(value: number) {
      if (skip > 0) skip -= 1;
      else bytes.push(value);
    },
    text(text: string) {
      const shown = text.slice(skip);
      skip = Math.max(0, skip - text.length);
      if (shown === "") return;
      // two bytes of one character may be written in different ways
      if (bytes.length > 0 || /[\x80-\xff]/.test(shown)) {
        for (let index = 0; index < shown.length; index += 1)
          bytes.push(shown.charCodeAt(index) & 0xff);
        return;
      }
      put(shown);
    },
    async finish(): Promise<FileContent> {
      flushBytes();
      endParagraph();
      if (cell.length > 0) endCell();
      blocks.push(...tables.finish());
      writeNotes();
      const warnings: string[] = [];
      return {
        blocks,
        title: captured.title.trim() || undefined,
        author: captured.author.trim() || undefined,
        warnings,
        images: await images.collect(undefined, warnings),
      };
    },
  };
}
