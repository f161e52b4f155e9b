const NAME = "found";
/** Rows are mounted a moment after the thread scrolls. */
const MOUNT_MS = 120;

/** Marks words in the thread without changing it. Source: CSS Custom Highlight API. */
export function markWords(words: string): void {
  if (!("highlights" in CSS)) return;
  CSS.highlights.delete(NAME);
  if (words.trim() === "") return;
  setTimeout(() => {
    const thread = document.querySelector('[role="log"]');
    if (thread)
      CSS.highlights.set(NAME, new Highlight(...rangesOf(thread, words.toLowerCase())));
  }, MOUNT_MS);
}

function rangesOf(root: Element, words: string): Range[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const ranges: Range[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.textContent?.toLowerCase() ?? "";
    for (
      let at = text.indexOf(words);
      at >= 0;
      at = text.indexOf(words, at + words.length)
    ) {
      const range = new Range();
      range.setStart(node, at);
      range.setEnd(node, at + words.length);
      ranges.push(range);
    }
  }
  return ranges;
}
