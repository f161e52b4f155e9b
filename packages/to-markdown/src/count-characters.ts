/** No image holds another one: each place is read once, however many images begin. */
const IMAGE = /!\[((?:(?!!\[)[^\]\n]){0,1000})\]\((?:(?!!\[)[^)\n]){0,1000}\)/g;
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

/** The length of the sample, which nearly always shows whether a long text is blank. */
const SAMPLE_LENGTH = 65_536;

/** Whether a text has no characters that count. Of a long text it usually reads only the start. */
export function isBlank(markdown: string): boolean {
  const start = markdown.slice(0, SAMPLE_LENGTH);
  const lastImage = start.lastIndexOf("![");
  // the sample may end within the last image, whose address does not count
  const sample = lastImage < 0 ? start : start.slice(0, lastImage);
  return countCharacters(sample) === 0 && countCharacters(markdown) === 0;
}
