/** Ids of OpenAI's API over ours: a kind, then the UUID without its dashes. */
export function toPublicId(kind: "conv" | "msg", id: string): string {
  return `${kind}_${id.replaceAll("-", "")}`;
}

/** @returns the UUID of an id, or undefined for what is none of the kind. */
export function toOwnId(kind: "conv" | "msg", id: string): string | undefined {
  const hex = id.startsWith(`${kind}_`) ? id.slice(kind.length + 1) : "";
  if (!/^[0-9a-f]{32}$/.test(hex)) return undefined;
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
