import type { User } from "../../../platform/http/caller.ts";
import type { FindNames } from "../user-names.ts";
import { type CanvasDeps, canvasFor } from "./access.ts";
import { listCanvasVersions } from "./store.ts";

/** The versions of a canvas, the newest first, with the names of those who wrote them. */
export async function listVersions(
  deps: CanvasDeps & { findNames: FindNames },
  user: User,
  id: string,
  part: { limit: number; offset: number },
) {
  await canvasFor(deps, user, id, "viewer");
  const { items, total } = await listCanvasVersions(deps.db, id, part);
  const authors = items.map(({ createdBy }) => createdBy);
  const names = await deps.findNames(authors, user.clientId);
  const named = items.map((version) => ({
    ...version,
    createdByName: names.get(version.createdBy) ?? null,
  }));
  return { items: named, total };
}
