import type { User } from "../../../platform/http/caller.ts";
import type { FindNames } from "../user-names.ts";
import { type CanvasDeps, canvasNotFound, roleIn } from "./access.ts";
import type { CanvasState } from "./contract.ts";
import { findCanvas } from "./store.ts";

interface Deps extends CanvasDeps {
  findNames: FindNames;
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
