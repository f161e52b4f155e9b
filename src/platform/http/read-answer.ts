import type { z } from "zod";

type Path = readonly PropertyKey[];

/**
 * The answer as its route declares it. A list goes out without the items that are not as declared,
 * such as those that a newer version stored: one of them must not hide all others.
 * @param onLeftOut gets each item that is left out: its id where it has one, and what is wrong.
 * @throws ZodError when anything but an item of the list is wrong.
 */
export function readAnswer(
  schema: z.ZodType,
  answer: unknown,
  onLeftOut: (item: { id: string | undefined; reason: string }) => void,
): unknown {
  const { success, data, error } = schema.safeParse(answer);
  if (success) return data;
  const reasons = new Map<number, string>();
  for (const { path, message } of error.issues) {
    const place = indexOfItem(path);
    if (place === undefined) throw error;
    reasons.set(place, `${path.slice(2).join(".")}: ${message}`);
  }
  const list = answer as { items: unknown[] }; // the paths lead into its items
  const items = list.items.filter((_, index) => !reasons.has(index));
  const read = schema.parse({ ...list, items });
  for (const [index, reason] of reasons) onLeftOut({ id: idOf(list.items[index]), reason });
  return read;
}

function indexOfItem([list, index]: Path): number | undefined {
  return list === "items" && typeof index === "number" ? index : undefined;
}

function idOf(item: unknown): string | undefined {
  if (typeof item !== "object" || item === null || !("id" in item)) return undefined;
  return typeof item.id === "string" ? item.id : undefined;
}
