import type { Place } from "./find-words.ts";

const NAME = "found";

/**
 * Marks a place of an element's text, and brings it into sight. The text stays as it is.
 * @returns a function that removes the mark. Source: CSS Custom Highlight API.
 */
export function markPlace(element: Element, place: Place): () => void {
  const range = rangeOf(element, place);
  range.startContainer.parentElement?.scrollIntoView({ block: "center" });
  if (!("highlights" in CSS)) return () => {};
  CSS.highlights.set(NAME, new Highlight(range));
  return () => {
    CSS.highlights.delete(NAME);
  };
}

function rangeOf(element: Element, { start, end }: Place): Range {
  const range = new Range();
  range.selectNodeContents(element);
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let passed = 0;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const length = node.textContent?.length ?? 0;
    if (start >= passed && start < passed + length) range.setStart(node, start - passed);
    if (end > passed && end <= passed + length) range.setEnd(node, end - passed);
    passed += length;
  }
  return range;
}
