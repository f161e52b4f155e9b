const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Whether the database takes a text as a UUID; ids that callers name may be any text. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
