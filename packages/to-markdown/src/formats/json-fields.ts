/** The fields of an object of JSON. */
export type Fields = Record<string, unknown>;

/** Reads an object, also after a byte order mark; undefined for text that is no JSON. */
export function parseFields(json: string): Fields | undefined {
  try {
    return fieldsOf(JSON.parse(json.replace(/^\ufeff/, "")));
  } catch {
    return undefined; // what cannot be read is shown as it is
  }
}

/** What is no object has no fields. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Fields) // checked to be an object
    : {};
}
