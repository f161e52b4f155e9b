import { call, type Fetch } from "../../platform/http/call.ts";
import type { User } from "../../platform/http/caller.ts";
import { Forbidden, NotFound } from "../../platform/http/errors.ts";
import { type AccessRole, sharingContract } from "../users/contract-sharing.ts";

type Type = "document" | "folder";
const TIMEOUT_MS = 5_000;
const MAX_PER_CALL = 500;
const RANK: Record<AccessRole, number> = { viewer: 1, commenter: 2, editor: 3, owner: 4 };

/**
 * Who may do what with documents and folders: their owner everything, others as they are shared
 * with them.
 */
export interface Access {
  /**
   * The thing, where the user may do as much with it.
   * @throws NotFound for what is not the user's to see, Forbidden `document_read_only` or
   * `folder_read_only`.
   */
  reach<Thing extends { id: string; ownerId: string }>(
    user: Pick<User, "userId">,
    type: Type,
    thing: Thing | undefined,
    needed: AccessRole,
  ): Promise<Thing>;
  /** Those that the user may see. */
  visible<Thing extends { id: string; ownerId: string }>(
    user: Pick<User, "userId">,
    type: Type,
    things: readonly Thing[],
  ): Promise<Thing[]>;
  /** Says whose it is and in which folder it lies; again when that changes. */
  register(type: Type, id: string, ownerId: string, folderId: string | null): Promise<void>;
  forget(type: Type, id: string): Promise<void>;
}

export function createAccess(users: Fetch): Access {
  const rolesOf = async (userId: string, resourceType: Type, ids: readonly string[]) => {
    const roles = new Map<string, AccessRole>();
    for (let from = 0; from < ids.length; from += MAX_PER_CALL) {
      const resources = ids
        .slice(from, from + MAX_PER_CALL)
        .map((resourceId) => ({ resourceType, resourceId }));
      const { results } = await call(
        users,
        sharingContract.checkAccessBatch,
        { body: { userId, resources } },
        { timeoutMs: TIMEOUT_MS },
      );
      for (const { resourceId, role } of results) if (role) roles.set(resourceId, role);
    }
    return roles;
  };
  return {
    async reach({ userId }, type, thing, needed) {
      if (thing?.ownerId === userId) return thing;
      const role = thing && (await rolesOf(userId, type, [thing.id])).get(thing.id);
      if (!role) throw type === "document" ? documentNotFound() : folderNotFound();
      if (RANK[role] < RANK[needed])
        throw new Forbidden(
          `${type}_read_only`,
          `This takes the role ${needed}; yours is ${role}. Ask its owner.`,
        );
      return thing;
    },
    async visible({ userId }, type, things) {
      const others = things.filter(({ ownerId }) => ownerId !== userId).map(({ id }) => id);
      const roles = await rolesOf(userId, type, others);
      return things.filter(({ id, ownerId }) => ownerId === userId || roles.has(id));
    },
    async register(resourceType, resourceId, ownerId, parentId) {
      await call(
        users,
        sharingContract.registerFeature,
        { body: { resourceType, resourceId, ownerId, parentId } },
        { timeoutMs: TIMEOUT_MS },
      );
    },
    async forget(resourceType, resourceId) {
      await call(
        users,
        sharingContract.deleteFeature,
        { params: { resourceType, resourceId } },
        { timeoutMs: TIMEOUT_MS },
      );
    },
  };
}

export function documentNotFound(): NotFound {
  return new NotFound("document_not_found", "There is no such document that you may see.");
}

export function folderNotFound(): NotFound {
  return new NotFound("folder_not_found", "There is no such folder that you may use.");
}
