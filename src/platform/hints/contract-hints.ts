/** The kinds of resources whose changes users are notified of. */
export const HINT_TYPES = [
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
  "lock",
  "session",
  "user",
  "group",
  "role",
  "provider",
  "model",
  "tool-server",
  "budget",
  "flow",
  "embedding-model",
  "queue",
  "app",
] as const;
export type HintType = (typeof HINT_TYPES)[number];

/** Something that a user may see has changed: read it again. */
export interface Hint {
  type: HintType;
  /** Undefined: anything of this type. */
  id?: string | undefined;
}
