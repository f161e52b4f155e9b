/** Ground and ink of the eight tints. */
const TINTS = [
  "tint-1",
  "tint-2",
  "tint-3",
  "tint-4",
  "tint-5",
  "tint-6",
  "tint-7",
  "tint-8",
] as const;

/** The class of a thing's tint: always the same for the same id. Source: FNV-1a. */
export function tintOf(id: string): string {
  let hash = 0x811c9dc5;
  for (const character of id)
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return TINTS[(hash >>> 0) % TINTS.length] ?? TINTS[0];
}
