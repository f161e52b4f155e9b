/**
 * Keeps a text in this browser, or forgets it where it is undefined. Where the storage is full the
 * page goes on, and knows nothing of it when it is loaded again: an older text would be wrong.
 */
export function keepInBrowser(key: string, text: string | undefined): void {
  try {
    if (text === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    localStorage.removeItem(key);
  }
}
