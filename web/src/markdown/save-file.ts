/** Saves a text as a file of the person's own machine. */
export function saveFile(name: string, text: string, mediaType: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: mediaType }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), REVOKED_AFTER_MS);
}

/** Some browsers read the file a moment after the click. */
const REVOKED_AFTER_MS = 10_000;
