/** Pages that a reply reads at once. */
export const MAX_LINKS = 5;
/** Of an address; the web service reads no longer one. */
const MAX_LINK_CHARACTERS = 8_000;
/** What ends an address in a text: spaces, quotes, angle brackets and marks of markdown. */
const LINK = /\bhttps?:\/\/[^\s<>"“”„«»`|\\^{}]+/gi;
/** What follows an address at the end of a sentence. */
const ENDING = /[.,;:!?…'*_~]/;

/** The addresses of pages in a text, each once, in their order. */
export function linksOf(text: string): string[] {
  const links = new Map<string, string>();
  for (const [found] of text.matchAll(LINK)) {
    const link = withoutEnding(found);
    if (link.length > MAX_LINK_CHARACTERS || !URL.canParse(link)) continue;
    const page = new URL(link);
    page.hash = "";
    if (!links.has(page.href)) links.set(page.href, link);
  }
  return [...links.values()];
}

/** The address without what belongs to the sentence: a full stop, or a bracket opened before it. */
function withoutEnding(found: string): string {
  let end = found.length;
  let open = 0;
  for (const character of found) open += bracketOf(character);
  for (; end > 0; end -= 1) {
    const last = found[end - 1] ?? "";
    if (ENDING.test(last)) continue;
    if (bracketOf(last) >= 0 || open >= 0) break;
    open += 1;
  }
  return found.slice(0, end);
}

/** 1 opens, -1 closes, 0 is no bracket. */
function bracketOf(character: string): -1 | 0 | 1 {
  if (character === "(" || character === "[") return 1;
  return character === ")" || character === "]" ? -1 : 0;
}
