const ACCENTS: Record<string, string> = {
  a: "á",
  e: "é",
  i: "í",
  o: "ó",
  u: "ú",
  c: "ç",
  n: "ñ",
  y: "ý",
  A: "Á",
  E: "É",
  I: "Í",
  O: "Ó",
  U: "Ú",
  C: "Ç",
  N: "Ñ",
  Y: "Ý",
};

/** A text as a language that is a third longer than English: accented, in brackets. */
function pseudoText(text: string): string {
  if (text.trim() === "") return text;
  const accented = text.replace(/[aeioucny]/gi, (letter) => ACCENTS[letter] ?? letter);
  // as German is longer than English: short words the most
  const length = Math.ceil(text.length * (text.length < 12 ? 0.5 : 0.3));
  return `[${accented}${" ~~~~~".repeat(Math.ceil(length / 6)).slice(0, length)}]`;
}

const made = new WeakMap<object, unknown>();

/** The same texts in the pseudo-language. The same object gives the same texts. */
export function toPseudo<Texts>(texts: Texts): Texts {
  return convert(texts) as Texts; // keeps the shape
}

function convert(value: unknown): unknown {
  if (typeof value === "string") return pseudoText(value);
  if (value === null || !["object", "function"].includes(typeof value)) return value;
  const known = made.get(value as object); // checked above
  if (known !== undefined) return known;
  const converted = convertObject(value as object);
  made.set(value as object, converted);
  return converted;
}

function convertObject(value: object): unknown {
  if (typeof value === "function")
    return (...given: unknown[]) =>
      convert((value as (...all: unknown[]) => unknown)(...given));
  if (Array.isArray(value)) return value.map(convert);
  if ("$$typeof" in value) return value; // an element of React
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, convert(one)]),
  );
}
