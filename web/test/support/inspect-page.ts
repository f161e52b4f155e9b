import type { Page } from "playwright-core";
import { BIDI_END, MARK } from "./fill/words.ts";

/** What hostile texts did to a page. */
export interface Findings {
  /** Elements, or their attributes, that only a text can have written. */
  elements: string[];
  /** Texts that turn the direction of what stands behind them. */
  notIsolated: string[];
  /** Pixels by which the page is wider than the window. */
  excess: number;
  /** Whether the page shows texts of the test. */
  isMarked: boolean;
}

/** Looks for traces of hostile texts in the page that is shown. */
export async function inspectPage(page: Page, origin: string): Promise<Findings> {
  const given = [origin, MARK, BIDI_END].map((value) => JSON.stringify(value)).join(", ");
  return page.evaluate<Findings>(`(${INSPECT})(${given})`);
}

// runs in the page, where the types of this file are not known
const INSPECT = String.raw`function (origin, mark, END) {
  const FOREIGN = "script:not([src^='/assets/']), iframe:not([sandbox]), object, embed, base, " +
    "video, audio, body style, body link, meta[http-equiv], marquee, template, svg use, svg image";
  const shown = (element) => element.outerHTML.slice(0, 160);
  const elements = [...document.querySelectorAll("body *, head script, head base, head meta")]
    .filter((element) =>
      element.matches(FOREIGN) ||
      [...element.attributes].some(({ name, value }) =>
        name.startsWith("on") ||
        (["src", "href", "action", "style", "data", "srcset"].includes(name) &&
          (value.includes(origin) || /^(javascript|data:text)/i.test(value.trim())) &&
          !isSafeLink(element, value))))
    .map(shown);

  /** A link of a text may lead elsewhere, but tells nothing and is opened apart. */
  function isSafeLink(element, value) {
    return element.tagName === "A" && /^https?:/.test(value) && element.rel.includes("noopener");
  }

  const TURNS = /[\u202A-\u202E\u2066\u2067]/;
  const notIsolated = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const parent = node.parentElement;
    if (!TURNS.test(node.data) || !parent.checkVisibility()) continue;
    if (parent.closest("pre, textarea, .markdown, .cm-editor, [dir=auto], [role=note]")) continue; // a text, not a name
    let box = parent;
    while (box !== document.body && isOfLine(box)) box = box.parentElement;
    const rest = textAfter(box, node);
    const behind = node.data.split(END)[1] ?? "";
    if ((rest + behind).trim() && !endsItself(node.data)) notIsolated.push(shown(box));
  }
  for (const element of document.querySelectorAll("[title], [placeholder]"))
    for (const value of [element.title, element.placeholder ?? ""])
      if (!repeats(element, value) &&
        TURNS.test(value) && (value.split(END)[1] ?? "").trim() && !endsItself(value))
        notIsolated.push("title: " + value.slice(0, 120));

  /** Whether a tooltip only repeats the text of its element. */
  function repeats(element, value) {
    return element.textContent.includes(value.trim());
  }

  /** Whether the marks of direction stand between U+2068 and U+2069. */
  function endsItself(text) {
    return !TURNS.test(text.replace(/\u2068[^]*?\u2069/g, ""));
  }

  /** Whether the text of an element takes its direction from the line that it stands in. */
  function isOfLine(element) {
    const { display, unicodeBidi } = getComputedStyle(element);
    return ["inline", "contents"].includes(display) && !/isolate|plaintext/.test(unicodeBidi);
  }

  /** Whether an element ends the line that it stands in. */
  function endsLine(element) {
    const { display, position, float } = getComputedStyle(element);
    const isInFlow = !["absolute", "fixed"].includes(position) && float === "none";
    return element.tagName === "BR" || (isInFlow && !/inline|contents|none/.test(display));
  }

  /** What stands in the same line behind a text, besides what has a direction of its own. */
  function textAfter(box, node) {
    const kinds = NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT;
    const walker = document.createTreeWalker(box, kinds, (next) => {
      if (next.nodeType === Node.TEXT_NODE || endsLine(next)) return NodeFilter.FILTER_ACCEPT;
      return isOfLine(next) ? NodeFilter.FILTER_SKIP : NodeFilter.FILTER_REJECT;
    });
    walker.currentNode = node;
    let text = "";
    for (let next = walker.nextNode(); next?.nodeType === Node.TEXT_NODE; next = walker.nextNode())
      text += next.data;
    return text;
  }

  const { scrollWidth, clientWidth } = document.documentElement;
  const main = document.querySelector("main");
  return {
    elements: elements.slice(0, 5),
    notIsolated: notIsolated.slice(0, 5),
    excess: scrollWidth - clientWidth,
    isMarked: (main?.innerText ?? "").includes(mark) ||
      [...(main?.querySelectorAll("input, textarea") ?? [])].some(({ value }) => value.includes(mark)),
  };
}`;
