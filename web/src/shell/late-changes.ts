import { hashKey } from "@tanstack/react-query";
import { Failure } from "../api/failure.ts";
import { isolate } from "../texts/isolate.ts";

/** What a form calls its fields. */
export type FieldNames<Fields> = { [Name in keyof Fields]?: string };

const MAX_SHOWN_CHARACTERS = 80;

/** The values that differ from those in `base`. */
export function differing<Fields extends object>(
  base: Partial<Fields>,
  values: Partial<Fields>,
): Partial<Fields> {
  const changed = keysOf(values).filter((key) => !isSame(base[key], values[key]));
  return pick(values, changed);
}

/** The fields that somebody else changed since `base` and that `changes` would overwrite. */
export function overwritten<Fields extends object>(
  base: Partial<Fields>,
  changes: Partial<Fields>,
  newest: Fields,
): (keyof Fields)[] {
  return keysOf(changes).filter(
    (key) => !isSame(base[key], newest[key]) && !isSame(changes[key], newest[key]),
  );
}

/** Says which fields somebody else changed, and to what where that is a short text. */
export function toLateFailure<Fields extends object>(
  keys: readonly (keyof Fields)[],
  newest: Fields,
  names: FieldNames<Fields>,
): Failure {
  const fields = keys.map((key) => {
    const name = names[key] ?? String(key);
    const value: unknown = newest[key];
    const isShort = typeof value === "string" && value.length <= MAX_SHOWN_CHARACTERS;
    const isShown = typeof value === "number" || (isShort && value !== "");
    return isShown ? `${name} – ${isolate(String(value))}` : name;
  });
  return new Failure("changed_meanwhile", "Somebody else changed this in the meantime.", {
    params: { fields: fields.join("; ") },
  });
}

export function pick<Fields extends object>(
  values: Partial<Fields>,
  keys: readonly (keyof Fields)[],
): Partial<Fields> {
  return Object.fromEntries(keys.map((key) => [key, values[key]])) as Partial<Fields>; // some of them
}

export function keysOf<Fields extends object>(values: Fields): (keyof Fields)[] {
  return Object.keys(values) as (keyof Fields)[]; // it has no others
}

/** The order of an object's fields makes no difference. */
function isSame(one: unknown, other: unknown): boolean {
  return hashKey([one]) === hashKey([other]);
}
