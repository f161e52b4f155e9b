/** The visible words of a Markdown text in order, without markup, separated by single spaces. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/<!--.*?-->/gs, " ")
    .replace(/!\[([^\]]*)\]\([^)\n]*\)/g, " ")
    .replace(/^\s*\|?(?:\s*:?-+:?\s*\|)+\s*:?-*:?\s*$/gm, " ")
    .replace(/^[ \t>]*(?:[-*+]|\d+[.)])[ \t]+/gm, " ")
    .replace(/^[ \t]*(?:#{1,6}|```.*|~~~.*)[ \t]*/gm, " ")
    .replace(/\[([^\]]*)\]\(<?[^)\n]*\)/g, "$1")
    .replace(/<\/?[a-z][^>\n]{0,500}>/gi, " ")
    .replace(/\\([!-/:-@[-`{-~])/g, "$1")
    .replace(
      /&(amp|lt|gt|quot|nbsp);/g,
      (_, name: string) =>
        ({ amp: "&", lt: "<", gt: ">", quot: '"', nbsp: " " })[name] ?? " ",
    )
    .replace(/[*_~`|$]+/g, "")
    .replace(/\s+/g, " ")
    .trim();
}
