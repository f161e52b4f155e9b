/**
 * The text for a name that the server uses. Another version of the server may have names without a
 * text here.
 */
export function nameOf(words: Readonly<Record<string, string>>, name: string): string {
  return Object.hasOwn(words, name) ? (words[name] ?? name) : name;
}
