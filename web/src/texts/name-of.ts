/** What a name of the server is in words. Another version may have names without a text here. */
export function nameOf(words: Readonly<Record<string, string>>, name: string): string {
  return Object.hasOwn(words, name) ? (words[name] ?? name) : name;
}
