import { type Block, paragraph, raised } from "../../blocks.ts";
import type { FileContent } from "../../finish-file.ts";
import type { ImageStore } from "../../image-store.ts";
import { tooComplex } from "../../refuse-file.ts";
import { withRunningText } from "../../running-text.ts";
import { rtfFonts } from "./code-pages.ts";
import { rtfFields } from "./rtf-fields.ts";
import { RtfContent } from "./rtf-content.ts";
import {
  CHARACTERS,
  DESTINATIONS,
  lookOf,
  type RtfState,
  SKIPPED,
  START,
  STATE_CONTROLS,
} from "./rtf-state.ts";

const MAX_NESTING = 50_000;
const MAX_PICTURE_BYTES = 20 * 2 ** 20;

/** Builds the content of a file from its tokens. Open groups end with the file. */
export class RtfReader {
  readonly #images: ImageStore;
  readonly #keepsImages: boolean;
  readonly #stack: RtfState[] = [];
  #state: RtfState = { ...START };
  readonly #content = new RtfContent();
  /** Bytes that are not decoded yet, because a character may have several. */
  #bytes: number[] = [];
  /**
   * The number of characters to skip after a Unicode character, for which they are a substitute.
   */
  #skip = 0;
  #isStarred = false;
  readonly #fonts = rtfFonts();
  /** The levels of heading styles. */
  readonly #headings = new Map<number, number>();
  readonly #fields = rtfFields();
  readonly #captured = {
    title: "",
    author: "",
    instruction: "",
    styles: "",
    picture: "",
    fonts: "",
    entry: "",
    head: "",
    foot: "",
  };

  constructor(images: ImageStore, keepsImages: boolean) {
    this.#images = images;
    this.#keepsImages = keepsImages;
  }

  open(): void {
    this.#decodeBytes();
    if (this.#stack.length >= MAX_NESTING)
      throw tooComplex(`it is nested more than ${MAX_NESTING} levels deep`);
    this.#stack.push(this.#state);
    this.#state = { ...this.#state };
    this.#isStarred = false;
    this.#skip = 0;
  }

  close(): void {
    this.#decodeBytes();
    const ended = this.#state;
    const outer = this.#stack.pop();
    if (!outer) return;
    if (ended.destination === "styles" && outer.destination === "styles")
      this.#endStyle(ended);
    if (ended.destination === "entry" && outer.destination !== "entry") {
      this.#fields.addEntry(this.#captured.entry);
      this.#captured.entry = "";
    }
    if (ended.destination === "picture" && outer.destination !== "picture")
      this.#endPicture(outer);
    this.#content.endNote(this.#stack.length);
    this.#state = outer;
    this.#isStarred = false;
    if (ended.destination === "instruction" && outer.destination !== "instruction")
      this.#endInstruction();
  }

  word(name: string, value: number | undefined): void {
    if (name !== "'") this.#decodeBytes();
    const isOptional = this.#isStarred;
    this.#isStarred = name === "*";
    if (name === "*") return;
    if (this.#skip > 0 && name in CHARACTERS) {
      this.#skip -= 1;
      return;
    }
    const state = this.#state;
    if (state.destination === "skip") return;
    if (Object.hasOwn(DESTINATIONS, name)) state.destination = DESTINATIONS[name] ?? "skip";
    else if (state.destination === "form" && this.#fields.word(name, value)) return;
    else if (name === "fldrslt") this.#startResult(state);
    else if (SKIPPED.has(name)) state.destination = "skip";
    else if (isOptional && !/^(?:shppict|nesttableprops|ud|footnote)$/.test(name))
      state.destination = "skip";
    else if (/^cl(?:vmgf|vmrg|mgf|mrg)$|^cellx$/.test(name))
      this.#content.tables.plan(name, value);
    else if (Object.hasOwn(CHARACTERS, name)) this.#put(CHARACTERS[name] ?? "");
    else if (Object.hasOwn(STATE_CONTROLS, name)) STATE_CONTROLS[name]?.(state, value);
    else this.#control(name, value);
  }

  byte(value: number): void {
    if (this.#skip > 0) this.#skip -= 1;
    else this.#bytes.push(value);
  }

  text(text: string): void {
    const visible = text.slice(this.#skip);
    this.#skip = Math.max(0, this.#skip - text.length);
    if (visible === "") return;
    // the two bytes of a character may be written in different ways
    if (this.#bytes.length > 0 || /[\x80-\xff]/.test(visible)) {
      for (let index = 0; index < visible.length; index += 1)
        this.#bytes.push(visible.charCodeAt(index) & 0xff);
      return;
    }
    this.#put(visible);
  }

  async finish(): Promise<FileContent> {
    this.#decodeBytes();
    const blocks = this.#content.finish(this.#state, (state) => this.#levelOf(state));
    const warnings: string[] = [];
    const { head, foot } = this.#captured;
    return {
      blocks: withRunningText(blocks, linesOf(head), linesOf(foot)),
      title: this.#captured.title.trim() || undefined,
      author: this.#captured.author.trim() || undefined,
      warnings,
      images: await this.#images.collect(undefined, warnings),
    };
  }

  #levelOf({ outline, style }: RtfState): number | undefined {
    return outline ?? this.#headings.get(style);
  }

  #decodeBytes(): void {
    if (this.#bytes.length === 0) return;
    const text = this.#fonts.decode(this.#bytes, this.#state.font);
    this.#bytes = [];
    this.#put(text);
  }

  #put(text: string): void {
    const { destination, hidden, up } = this.#state;
    switch (destination) {
      case "marker":
        this.#content.addMarker(text);
        break;
      case "title":
      case "author":
      case "instruction":
      case "styles":
      case "picture":
      case "fonts":
      case "entry":
      case "head":
      case "foot":
        if (!hidden && this.#captured[destination].length < MAX_PICTURE_BYTES * 2)
          this.#captured[destination] += text;
        if (destination === "fonts" && text.includes(";")) this.#endFont();
        break;
      case "body":
      case "note":
        if (!hidden) {
          const shown = this.#fonts.signs(text, this.#state.font);
          this.#content.addText({
            ...lookOf(this.#state),
            text: up ? raised(shown) : shown,
          });
        }
        break;
      default:
    }
  }

  /** Handles control words that change the content or the whole file. */
  #control(name: string, value: number | undefined): void {
    const state = this.#state;
    const content = this.#content;
    if (state.destination === "head" || state.destination === "foot") {
      if (/^(?:par|row|sect|page)$/.test(name)) this.#put("\n");
      else if (/^(?:nest)?cell$/.test(name)) this.#put(" ");
      else if (name === "u") this.#putUnicode(value);
      return;
    }
    switch (name) {
      case "par":
      case "\n":
      case "\r":
        if (content.isInNote) this.#put(" ");
        else content.endParagraph(state, this.#levelOf(state));
        break;
      case "sect":
        content.endParagraph(state, this.#levelOf(state));
        break;
      case "page":
      case "pagebb":
        content.breakPage(state, this.#levelOf(state));
        break;
      case "cell":
        content.endCell(state, this.#levelOf(state));
        break;
      case "nestcell":
        this.#put(" ");
        break;
      case "nestrow":
        this.#put("\n");
        break;
      case "row":
        content.tables.endRow();
        break;
      case "trowd":
        content.tables.startRow();
        break;
      case "footnote":
        content.startNote(this.#stack.length);
        break;
      case "ansicpg":
        this.#fonts.setCodePage(value ?? 1252);
        break;
      case "mac":
        this.#fonts.setCodePage(10_000);
        break;
      case "fcharset":
        if (state.destination === "fonts") this.#fonts.setCharset(state.font, value ?? 0);
        break;
      case "outlinelevel":
        this.#setOutline(value);
        break;
      case "u":
        this.#putUnicode(value);
        break;
      default:
    }
  }

  #putUnicode(value = 0): void {
    this.#put(String.fromCharCode(value & 0xffff));
    this.#skip = this.#state.fallback;
  }

  /** Ends the name of a font in the table. */
  #endFont(): void {
    const name = this.#captured.fonts.split(";", 1)[0]?.trim() ?? "";
    this.#captured.fonts = "";
    this.#fonts.setName(this.#state.font, name);
  }

  #startResult(state: RtfState): void {
    const { isShown, href } = this.#fields.startResult();
    if (isShown) state.destination = "skip";
    state.href = href ?? state.href;
  }

  #setOutline(value: number | undefined): void {
    const level = value !== undefined && value >= 0 && value < 9 ? value + 1 : undefined;
    if (this.#state.destination !== "styles") this.#state.outline = level;
    else if (level !== undefined) this.#headings.set(this.#state.style, level);
  }

  #endStyle({ style }: RtfState): void {
    const level = /^\s*heading (\d)/i.exec(this.#captured.styles)?.[1];
    if (level && style >= 0) this.#headings.set(style, Number(level));
    if (/^\s*title;?/i.test(this.#captured.styles) && style >= 0)
      this.#headings.set(style, 1);
    this.#captured.styles = "";
  }

  #endInstruction(): void {
    const value = this.#fields.endInstruction(this.#captured.instruction);
    this.#captured.instruction = "";
    if (value !== undefined) this.#put(value);
  }

  #endPicture({ destination, hidden }: RtfState): void {
    const hex = this.#captured.picture.replace(/[^\da-f]/gi, "");
    this.#captured.picture = "";
    if (hex.length <= 200) return;
    const bytes = this.#keepsImages ? Buffer.from(hex, "hex") : Buffer.alloc(0);
    const name = `image${this.#images.keep(bytes, "picture").replace("picture", "")}`;
    if (destination === "body" && !hidden) this.#content.addPicture(name);
  }
}

function linesOf(text: string): Block[] {
  return text.split("\n", 100).map((line) => paragraph([{ text: line.trim() }]));
}
