/** What others share, in the order of the page. */
export const SHARED_KINDS = [
  "conversation",
  "document",
  "folder",
  "agent",
  "canvas",
] as const;
export type SharedKind = (typeof SHARED_KINDS)[number];

export function isSharedKind(value: unknown): value is SharedKind {
  return SHARED_KINDS.some((kind) => kind === value);
}
