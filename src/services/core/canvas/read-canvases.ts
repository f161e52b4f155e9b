import type { User } from "../../../platform/http/caller.ts";
import { conversationFor } from "../conversations/access.ts";
import { findConversations } from "../conversations/store.ts";
import type { FindNames } from "../user-names.ts";
import { type CanvasDeps, canvasFor, canvasNotFound, roleIn } from "./access.ts";
import type { Canvas, CanvasState } from "./contract.ts";
import { citedIn } from "../sources/check-citations.ts";
import type { Source } from "../sources/contract.ts";
import { findSources, findCanvas, listCanvases, listCanvasVersions } from "./store.ts";

interface Deps extends CanvasDeps {
  findNames: FindNames;
}

interface Narrowing {
  conversationId?: string | undefined;
  scope: "own" | "shared";
}

/** Canvases that the user may see, with the names of their owners, the last changed first. */
export async function findCanvases(
  deps: Deps,
  user: User,
  narrowing: Narrowing,
  part: { limit: number; offset: number },
) {
  const { items, total } = await listCanvases(
    deps.db,
    await placesOf(deps, user, narrowing),
    part,
  );
  const owners = items.map(({ ownerId }) => ownerId);
  const names = await deps.findNames(owners, user.clientId);
  const named = items.map((item) => ({
    ...item,
    ownerName: names.get(item.ownerId) ?? null,
  }));
  return { items: named, total };
}

/** A version of a canvas, with the passages that its text cites. */
export async function readCanvas(
  deps: CanvasDeps,
  user: User,
  id: string,
  { version }: { version?: number | undefined },
): Promise<Canvas & { sources?: Source[] }> {
  const canvas = await canvasFor(deps, user, id, "viewer", { version });
  const cited = citedIn(canvas.content);
  if (cited.size === 0) return canvas;
  const numbered = await findSources(deps.db, id, canvas.version);
  return { ...canvas, sources: numbered.filter(({ index }) => cited.has(index)) };
}

/** Whose canvases, or those of which conversations. */
async function placesOf(
  deps: CanvasDeps,
  user: User,
  { conversationId, scope }: Narrowing,
): Promise<{ userId: string } | { conversationIds: string[] }> {
  if (conversationId !== undefined) {
    await conversationFor(deps, user, conversationId, "viewer");
    return { conversationIds: [conversationId] };
  }
  if (scope === "own") return { userId: user.userId };
  const shared = await deps.sharing.listShared("conversation", user.userId);
  const stored = await findConversations(deps.db, shared, undefined);
  return { conversationIds: stored.map(({ id }) => id) };
}

/** The versions of a canvas, the newest first, with the names of those who wrote them. */
export async function listVersions(
  deps: Deps,
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

/**
 * The newest version of a canvas, what the user may do, and who holds the editing lock.
 * @throws NotFound `canvas_not_found` also without access.
 */
export async function readState(deps: Deps, user: User, id: string): Promise<CanvasState> {
  const found = await findCanvas(deps.db, id);
  const role = found && (await roleIn(deps, user, found));
  if (!found?.canvas || !role) throw canvasNotFound();
  const { version, conversationId } = found.canvas;
  const lock =
    conversationId &&
    (await deps.sharing.lockOf("conversation", conversationId, user.userId));
  if (!lock) return { version, role, lock: null };
  const { featureId, userId, expiresAt } = lock;
  const names = await deps.findNames([userId], user.clientId);
  const userName = names.get(userId) ?? null;
  return { version, role, lock: { featureId, userId, userName, expiresAt } };
}
