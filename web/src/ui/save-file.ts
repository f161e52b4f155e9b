/** Saves something as a file of the person's own machine. */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), REVOKED_AFTER_MS);
}

/** The same with a text. */
export function saveText(name: string, text: string, mediaType: string): void {
  saveFile(name, new Blob([text], { type: mediaType }));
}

/** Some browsers read the file a moment after the click. */
const REVOKED_AFTER_MS = 60_000;
