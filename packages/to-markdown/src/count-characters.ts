const IMAGE = /!\[([^\]\n]{0,1000})\]\([^)\n]{0,1000}\)/g;
const WHITE_SPACE = /\s/;

/** Counts the characters of a page, without white space and the addresses of its images. */
export function countCharacters(markdown: string): number {
  const text = markdown.includes("![") ? markdown.replace(IMAGE, "$1") : markdown;
  // a copy of a long text without its white space would take many times its memory
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const isVisible = code < 0x80 ? code > 32 : !WHITE_SPACE.test(text.charAt(at));
    if (isVisible) count += 1;
  }
  return count;
}
