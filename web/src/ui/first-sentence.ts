/**
 * What happened, and what that means: the first sentence of a text, and the others. A sentence ends
 * before a space and a capital letter; an abbreviation of a letter or two is no end.
 */
export function firstSentence(text: string): { first: string; rest: string } {
  const end = /[\p{L}\d"”“»)\]\u2069]{2}[.!?] (?=[\p{Lu}“„«"])/u.exec(text);
  if (!end) return { first: text, rest: "" };
  const at = end.index + end[0].length;
  return { first: text.slice(0, at).trimEnd(), rest: text.slice(at) };
}
