import { Tokenizer } from "htmlparser2";
import { tooComplex } from "./refuse-file.ts";
import type { Element } from "./xml-tree.ts";

/** More than layouts use. Deeper elements are kept as if they were at this depth. */
const MAX_DEPTH = 150;
const MAX_ELEMENTS = 2_000_000;

const VOID = new Set([
  "area",
  "base",
  "br",
  "col",
  "embed",
  "hr",
  "img",
  "input",
  "link",
  "meta",
  "param",
  "source",
  "track",
  "wbr",
  "basefont",
  "frame",
]);
const RAW = new Set(["script", "style", "title", "textarea", "xmp"]);
const PARAGRAPH_ENDS =
  "address article aside blockquote center details dialog dd dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main menu nav ol p pre section table td th tr ul".split(
    " ",
  );

/**
 * Open elements that an opening tag closes, and the elements at which the search for them ends.
 * Source: HTML "optional tags".
 */
const CLOSES = new Map<
  string,
  { closes: ReadonlySet<string>; within: ReadonlySet<string> }
>([
  [
    "li",
    { closes: new Set(["li"]), within: new Set(["ul", "ol", "menu", "dir", "table"]) },
  ],
  ["dt", { closes: new Set(["dt", "dd"]), within: new Set(["dl", "table"]) }],
  ["dd", { closes: new Set(["dt", "dd"]), within: new Set(["dl", "table"]) }],
  ["tr", { closes: new Set(["tr", "caption", "colgroup"]), within: new Set(["table"]) }],
  ["td", { closes: new Set(["td", "th"]), within: new Set(["table", "tr"]) }],
  ["th", { closes: new Set(["td", "th"]), within: new Set(["table", "tr"]) }],
  [
    "thead",
    {
      closes: new Set(["thead", "tbody", "tfoot", "caption", "colgroup"]),
      within: new Set(["table"]),
    },
  ],
  [
    "tbody",
    {
      closes: new Set(["thead", "tbody", "tfoot", "caption", "colgroup"]),
      within: new Set(["table"]),
    },
  ],
  [
    "tfoot",
    {
      closes: new Set(["thead", "tbody", "tfoot", "caption", "colgroup"]),
      within: new Set(["table"]),
    },
  ],
  ["option", { closes: new Set(["option"]), within: new Set(["select", "table"]) }],
  [
    "a",
    { closes: new Set(["a"]), within: new Set(["table", "td", "th", "li", "div", "p"]) },
  ],
]);
const IN_PARAGRAPH = {
  closes: new Set(["p"]),
  within: new Set([
    "table",
    "td",
    "th",
    "li",
    "blockquote",
    "div",
    "section",
    "article",
    "dd",
    "button",
    "body",
  ]),
};
for (const name of PARAGRAPH_ENDS) if (!CLOSES.has(name)) CLOSES.set(name, IN_PARAGRAPH);
/** A closing tag of an inline element closes nothing outside of these. */
const TABLE_PARTS = new Set(["table", "td", "th"]);

/**
 * Parses HTML into a tree, however malformed. Closes open elements where browsers do, and ignores
 * closing tags without an element. Linear in the length of the text.
 * @param xml whether `<a/>` has no content, as in XHTML.
 * @throws FileError `too_complex`.
 */
export function readHtmlTree(html: string, xml = false): Element {
  const builder = treeBuilder();
  let name = "";
  let attributes: Record<string, string> = {};
  let attribute = "";
  let value = "";
  const tokenizer = new Tokenizer(
    { xmlMode: false, decodeEntities: true },
    {
      ontext: (start, end) => builder.text(html.slice(start, end)),
      ontextentity: (code) => builder.text(String.fromCodePoint(code)),
      onopentagname(start, end) {
        name = localTag(html.slice(start, end));
        attributes = {};
      },
      onattribname(start, end) {
        attribute = html.slice(start, end).toLowerCase();
        value = "";
      },
      onattribdata: (start, end) => (value += html.slice(start, end)),
      onattribentity: (code) => (value += String.fromCodePoint(code)),
      onattribend() {
        if (attribute !== "__proto__" && !(attribute in attributes))
          attributes[attribute] = value;
      },
      onopentagend: () => builder.open(name, attributes),
      onselfclosingtag() {
        builder.open(name, attributes);
        if (xml) builder.close(name);
      },
      onclosetag: (start, end) => builder.close(localTag(html.slice(start, end))),
      oncdata: (start, end, offset) =>
        xml ? builder.text(html.slice(start, end - offset)) : undefined,
      oncomment: () => undefined,
      ondeclaration: () => undefined,
      onprocessinginstruction: () => undefined,
      onend: () => undefined,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return builder.root;
}

function localTag(name: string): string {
  const colon = name.indexOf(":");
  return (colon < 0 ? name : name.slice(colon + 1)).toLowerCase();
}

function treeBuilder() {
  const root: Element = { name: "", attributes: {}, children: [] };
  const open: Element[] = [root];
  /**
   * The number of open elements by name, so that a closing tag without an element needs no search.
   */
  const counts = new Map<string, number>();
  let count = 0;

  const pop = () => {
    const element = open.pop();
    if (element) counts.set(element.name, (counts.get(element.name) ?? 1) - 1);
  };
  const closeImplied = (name: string) => {
    const rule = CLOSES.get(name);
    if (!rule) return;
    for (let depth = open.length - 1; depth > 0; depth -= 1) {
      const above = open[depth]?.name ?? "";
      if (rule.closes.has(above)) {
        while (open.length > depth) pop();
        if (rule === IN_PARAGRAPH) return;
      } else if (rule.within.has(above)) return;
    }
  };

  return {
    root,
    open(name: string, attributes: Record<string, string>) {
      closeImplied(name);
      count += 1;
      if (count > MAX_ELEMENTS) throw tooComplex("it holds too many elements");
      const element: Element = { name, attributes, children: [] };
      open.at(-1)?.children.push(element);
      if (VOID.has(name) || open.length >= MAX_DEPTH) return;
      open.push(element);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    },
    text: (text: string) => open.at(-1)?.children.push(text),
    close(name: string) {
      if ((counts.get(name) ?? 0) === 0) {
        if (name === "br" || name === "p")
          open.at(-1)?.children.push({ name: "br", attributes: {}, children: [] });
        return;
      }
      for (let depth = open.length - 1; depth > 0; depth -= 1) {
        const above = open[depth]?.name ?? "";
        if (above === name) {
          while (open.length > depth) pop();
          return;
        }
        if (
          TABLE_PARTS.has(above) &&
          !RAW.has(name) &&
          !["table", "tr", "tbody", "thead", "tfoot", "td", "th", "body", "html"].includes(
            name,
          )
        )
          return;
      }
    },
  };
}
