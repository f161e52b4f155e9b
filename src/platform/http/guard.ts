import type { User } from "./caller.ts";
import type { AnyRoute } from "./route.ts";

/** Judges whether a user whom a route let in may take this action. @throws Forbidden. */
export type Guard = (
  route: AnyRoute,
  user: User,
  input: { params: unknown; query: unknown; body: unknown },
) => Promise<void>;

/** Told after an administrator did what only administrators may. */
export type Auditor = (
  route: AnyRoute,
  administrator: User,
  params: Record<string, string>,
) => Promise<void>;
