/**
 * A Markdown text without its marks, citations, code and large formulas: to be read aloud, or at a
 * glance.
 */
export function toPlainText(markdown: string): string {
  return markdown
    .replace(/```[\s\S]*?(?:```|$)/g, " ")
    .replace(/\$\$[\s\S]*?(?:\$\$|$)|\\\[[\s\S]*?(?:\\\]|$)/g, " ")
    .replace(/\[\^[^\s[\]]{1,40}\]:?|\[![A-Z]{3,12}\]/g, "")
    .replace(/==([^=\n]{1,200})==/g, "$1")
    .replace(/<\/?(?:sub|sup|kbd|mark|details|summary|br) {0,2}\/?>/gi, "")
    .replace(/!?\[([^[\]]*)\]\([^)[]*\)/g, "$1")
    .replace(/\[\d+(?:[-–,;] ?\d+)*\]/g, "")
    .replace(/^ {0,3}(?:#{1,6}|>|[-*+]|\d+\.) +/gm, "")
    .replace(/^[ \t]*[|:-][|: \t-]*$/gm, "")
    .replace(/[*_`|]/g, "")
    .replace(/[ \t]+/g, " ")
    .trim();
}
