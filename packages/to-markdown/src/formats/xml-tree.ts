import { tooComplex } from "./refuse-file.ts";
import { localName, readXml } from "./read-xml.ts";

export interface Element {
  /** Without its prefix, which each file chooses itself. */
  name: string;
  attributes: Record<string, string>;
  children: (Element | string)[];
}

/** More than authors use. Deeper elements are kept as if they were at this depth. */
const MAX_DEPTH = 120;
/** The depth at which reading stops: no program writes deeper trees. */
const MAX_READ_DEPTH = 2_000;
const MAX_ELEMENTS = 1_500_000;

interface Options {
  /** The names of elements to leave out. */
  skip?: ReadonlySet<string>;
  /** Receives each complete outermost element of these names; the rest of the file is not kept. */
  each?: { names: ReadonlySet<string>; take: (element: Element) => void };
}

/**
 * Parses XML into a tree, or, with `each`, into many small trees one after the other. Limited in
 * depth and number of elements.
 * @throws FileError `too_complex`.
 */
export async function readXmlTree(
  pieces: AsyncIterable<string> | Iterable<string>,
  { skip, each }: Options = {},
): Promise<Element> {
  const root: Element = { name: "", attributes: {}, children: [] };
  const open: Element[] = [root];
  let beyond = 0;
  let skipping = 0;
  let taking = 0;
  let count = 0;
  await readXml(pieces, {
    open(prefixed, attributes) {
      const name = localName(prefixed);
      if (skipping > 0 || skip?.has(name)) {
        skipping += 1;
        return;
      }
      count += 1;
      if (count > MAX_ELEMENTS) throw tooComplex("it holds too many elements");
      const element: Element = { name, attributes, children: [] };
      if (each?.names.has(name)) taking += 1;
      if (!each || taking > 0) open.at(-1)?.children.push(element);
      if (open.length < MAX_DEPTH) open.push(element);
      else if (beyond < MAX_READ_DEPTH) beyond += 1;
      else throw tooComplex(`it is nested more than ${MAX_READ_DEPTH} levels deep`);
    },
    text(text) {
      if (skipping === 0 && (!each || taking > 0)) open.at(-1)?.children.push(text);
    },
    close(prefixed) {
      if (skipping > 0) {
        skipping -= 1;
        return;
      }
      const wanted = each?.names.has(localName(prefixed)) === true;
      if (wanted) taking -= 1;
      if (beyond > 0) {
        beyond -= 1;
        return;
      }
      const element = open.length > 1 ? open.pop() : undefined;
      if (!each || !wanted || taking > 0 || !element) return;
      const parent = open.at(-1);
      if (parent?.children.at(-1) === element) parent.children.pop();
      count = 0;
      each.take(element);
    },
  });
  return root;
}

export function isElement(child: Element | string | undefined): child is Element {
  return typeof child === "object";
}

export function elementsOf(element: Element | undefined, name?: string): Element[] {
  return (element?.children ?? []).filter(
    (child): child is Element =>
      isElement(child) && (name === undefined || child.name === name),
  );
}

export function childOf(
  element: Element | undefined,
  ...path: string[]
): Element | undefined {
  let found = element;
  for (const name of path)
    found = found?.children.find(
      (child): child is Element => isElement(child) && child.name === name,
    );
  return found;
}

/** The first element of this name at any depth, in document order. */
export function findIn(element: Element | undefined, name: string): Element | undefined {
  for (const child of element?.children ?? []) {
    if (!isElement(child)) continue;
    const found = child.name === name ? child : findIn(child, name);
    if (found) return found;
  }
  return undefined;
}

export function findAll(
  element: Element | undefined,
  name: string,
  found: Element[] = [],
): Element[] {
  for (const child of element?.children ?? []) {
    if (!isElement(child)) continue;
    if (child.name === name) found.push(child);
    else findAll(child, name, found);
  }
  return found;
}

/** The value of an attribute by its name without prefix. */
export function attributeOf(
  element: Element | undefined,
  name: string,
): string | undefined {
  if (!element) return undefined;
  const plain = element.attributes[name];
  return plain ?? prefixedAttribute(element, name);
}

/** The value of an attribute with a prefix: `r:id` rather than `id`. */
export function prefixedAttribute(
  element: Element | undefined,
  name: string,
): string | undefined {
  for (const [key, value] of Object.entries(element?.attributes ?? {}))
    if (key.endsWith(`:${name}`)) return value;
  return undefined;
}

export function textIn(element: Element | undefined): string {
  let text = "";
  for (const child of element?.children ?? [])
    text += typeof child === "string" ? child : textIn(child);
  return text;
}
