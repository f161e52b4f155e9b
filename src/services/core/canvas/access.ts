import type { Database } from "../../../platform/db/database.ts";
import type { User } from "../../../platform/http/caller.ts";
import { Forbidden, NotFound } from "../../../platform/http/errors.ts";
import type { Workers } from "../../../platform/workers/workers.ts";
import { type AccessRole, isAtLeast } from "../../users/contract-sharing.ts";
import { findConversations } from "../conversations/store.ts";
import type { Sharing } from "../sharing.ts";
import type { Canvas } from "./contract.ts";
import { findCanvas } from "./store.ts";

export interface CanvasDeps {
  db: Database;
  sharing: Sharing;
  workers: Workers;
  maxCanvases: number;
  /** Of all versions of a user's canvases and agents. */
  maxVersionsBytes: number;
  maxVersions: number;
}

type AccessDeps = Pick<CanvasDeps, "db" | "sharing">;

/** The parts of a user that decide about access. */
export type Person = Pick<User, "userId">;

/**
 * Returns a canvas if the user has at least the needed role, as its owner or by the role in its
 * conversation. Only owners see a canvas in the trash.
 * @throws NotFound `canvas_not_found` also without access, `version_not_found`; Forbidden
 * `canvas_read_only`.
 */
export async function canvasFor(
  deps: AccessDeps,
  user: Person,
  id: string,
  needed: AccessRole,
  { version, deleted = false }: { version?: number | undefined; deleted?: boolean } = {},
): Promise<Canvas> {
  const found = await findCanvas(deps.db, id, { version, deleted });
  const role = found && (await roleIn(deps, user, found));
  if (!role || (deleted && role !== "owner")) throw canvasNotFound();
  if (!isAtLeast(role, needed))
    throw new Forbidden(
      "canvas_read_only",
      `This takes the role ${needed} in its conversation; yours is ${role}. Ask its owner.`,
    );
  if (!found.canvas)
    throw new NotFound(
      "version_not_found",
      `The canvas has no version ${version}. GET /api/v1/canvas/:canvasId/versions ` +
        "lists them.",
    );
  return found.canvas;
}

/** The user's role for a canvas; undefined: none. */
export async function roleIn(
  { db, sharing }: AccessDeps,
  { userId }: Person,
  { ownerId, conversationId }: { ownerId: string; conversationId: string | null },
): Promise<AccessRole | undefined> {
  if (ownerId === userId) return "owner";
  if (conversationId === null) return undefined;
  const [conversation] = await findConversations(db, [conversationId], undefined);
  return (
    conversation &&
    (await sharing.rolesOf("conversation", [conversationId], userId)).get(conversationId)
  );
}

export function canvasNotFound(): NotFound {
  return new NotFound(
    "canvas_not_found",
    "There is no such canvas that you may see. GET /api/v1/canvas lists yours.",
  );
}
