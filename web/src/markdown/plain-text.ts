/** A Markdown text without its marks, citations and code: to be read aloud, or at a glance. */
export function toPlainText(markdown: string): string {
  return markdown
    .replace(/```[\s\S]*?(?:```|$)/g, " ")
    .replace(/!?\[([^[\]]*)\]\([^)[]*\)/g, "$1")
    .replace(/\[\d+(?:[-–,;] ?\d+)*\]/g, "")
    .replace(/^ {0,3}(?:#{1,6}|>|[-*+]|\d+\.) +/gm, "")
    .replace(/[*_`|]/g, "")
    .replace(/[ \t]+/g, " ")
    .trim();
}
