/**
 * Joins the lines of a text that its mail program broke at spaces. `deletesSpace`: the space was
 * added at the break. Source: RFC 3676.
 */
export function unflow(text: string, deletesSpace: boolean): string {
  const lines: string[] = [];
  let open: { quote: number; text: string } | undefined;
  const close = () => {
    if (open)
      lines.push(`${">".repeat(open.quote)}${open.quote > 0 ? " " : ""}${open.text}`);
    open = undefined;
  };
  for (const line of text.split(/\r?\n/)) {
    const quote = /^>*/.exec(line)?.[0].length ?? 0;
    // a space may stand before the text so that it does not look like a quotation
    const content = line.slice(quote).replace(/^ /, "");
    if (open && open.quote !== quote) close();
    const joined: string = (open?.text ?? "") + content;
    // the line before a signature ends with a space that means nothing
    const isFlowed = content.endsWith(" ") && content !== "-- ";
    open = { quote, text: isFlowed && deletesSpace ? joined.slice(0, -1) : joined };
    if (!isFlowed) close();
  }
  close();
  return lines.join("\n");
}
