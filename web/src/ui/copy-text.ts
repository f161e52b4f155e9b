/**
 * Copies a text. The asynchronous clipboard is missing where a page came over plain HTTP from
 * another machine; there the browser copies a selection.
 */
export async function copyText(text: string): Promise<void> {
  const { clipboard } = navigator as { clipboard?: Clipboard }; // missing there
  if (clipboard) return clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  (document.querySelector("dialog[open]") ?? document.body).append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

/** The same, with formats for programs that paste them. */
export async function copyFormatted(text: string, html: string): Promise<void> {
  const { clipboard } = navigator as { clipboard?: Partial<Clipboard> }; // older browsers
  if (!clipboard?.write || typeof ClipboardItem === "undefined") return copyText(text);
  const blob = (type: string, content: string) => new Blob([content], { type });
  await clipboard.write([
    new ClipboardItem({
      "text/plain": blob("text/plain", text),
      "text/html": blob("text/html", html),
    }),
  ]);
}
