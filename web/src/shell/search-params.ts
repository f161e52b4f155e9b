type Search = Record<string, unknown>;

/**
 * The part of an address behind `?`, as text and nothing else: the router by itself reads `1e3` as
 * a number and writes 1000 in its place, also where another program put a value there. A name that
 * stands there twice has all its values.
 */
export function parseSearch(text: string): Search {
  const params = new URLSearchParams(text);
  const names = [...new Set(params.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const values = params.getAll(name);
      return [name, values.length > 1 ? values : values[0]];
    }),
  );
}

export function stringifySearch(search: Search): string {
  const entries = Object.entries(search).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => (one === undefined ? [] : [[name, String(one)]])),
  );
  const text = new URLSearchParams(entries).toString();
  return text && `?${text}`;
}

/** A whole number or a fraction that a page has in its address. */
export function numberIn(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || value.trim() === "") return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}
