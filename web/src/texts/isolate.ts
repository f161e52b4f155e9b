/**
 * A name within a sentence: its direction, and any marks of direction in it, end with it (U+2068,
 * U+2069). Where the name stands alone, `<bdi>` does the same.
 */
export function isolate(name: string): string {
  return `\u2068${name}\u2069`;
}
