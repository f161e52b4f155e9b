/** The kinds of resources whose changes users are notified of. */
export const CHANGED_TYPES = [
  "conversation",
  "document",
  "agent",
  "canvas",
  "template",
  "conversion",
  "automation",
  "run",
  "approval",
  "share",
  "label",
  "lock",
  "session",
  "user",
  "group",
  "role",
  "provider",
  "model",
  "tool-server",
  "search-engine",
  "budget",
  "flow",
  "embedding-model",
  "queue",
  "app",
] as const;
export type ChangedType = (typeof CHANGED_TYPES)[number];

/** Something that a page may show has changed: read it again. */
export interface Change {
  type: ChangedType;
  /** Undefined: anything of this type. */
  id?: string | undefined;
}

/** A type, or one resource of it, by the parameter of the path that names it: `agent/:id`. */
export type ChangedResource = ChangedType | `${ChangedType}/:${string}`;

/** What a route changes. */
export type Changes = "none" | ChangedResource | readonly ChangedResource[];

/** Returns each type that a route changes, and the parameter that names the resource. */
export function changedBy(changes: Changes): { type: ChangedType; parameter?: string }[] {
  if (changes === "none") return [];
  const resources = typeof changes === "string" ? [changes] : changes;
  return resources.map((resource) => {
    const [type, parameter] = resource.split("/:");
    // the type of `Changes` allows no other beginning
    return { type: type as ChangedType, ...(parameter && { parameter }) };
  });
}
