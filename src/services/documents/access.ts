import type { Fetch } from "../../platform/http/call.ts";
import type { User } from "../../platform/http/caller.ts";
import { Forbidden } from "../../platform/http/errors.ts";
import { documentNotFound, folderNotFound } from "./contract-not-found.ts";
import { createResourceRegister } from "../users/contract-register.ts";
import { type AccessRole, isAtLeast } from "../users/contract-sharing.ts";

type Type = "document" | "folder";

/**
 * Decides who may use documents and folders. The owner may do everything; others may do what their
 * role in the sharing permits.
 */
export interface Access {
  /**
   * Returns the resource when the user has at least the needed role.
   * @throws NotFound when the user may not see it, Forbidden `document_read_only` or
   * `folder_read_only`.
   */
  require<Resource extends { id: string; ownerId: string }>(
    user: Pick<User, "userId">,
    type: Type,
    resource: Resource | undefined,
    needed: AccessRole,
  ): Promise<Resource>;
  /** Returns the resources that the user may see. */
  filterVisible<Resource extends { id: string; ownerId: string }>(
    user: Pick<User, "userId">,
    type: Type,
    resources: readonly Resource[],
  ): Promise<Resource[]>;
  /** Returns the documents that others shared with the user, also through a folder. */
  findShared(user: Pick<User, "userId">): Promise<string[]>;
  /** Registers the owner and the folder of a resource; called again when they change. */
  register(type: Type, id: string, ownerId: string, folderId: string | null): Promise<void>;
  forget(type: Type, id: string): Promise<void>;
}

export function createAccess(users: Fetch): Access {
  const { rolesOf, listShared, register, forget } = createResourceRegister(users);
  return {
    register,
    forget,
    async require({ userId }, type, resource, needed) {
      if (resource?.ownerId === userId) return resource;
      const role =
        resource && (await rolesOf(type, [resource.id], userId)).get(resource.id);
      if (!role) throw type === "document" ? documentNotFound() : folderNotFound();
      if (!isAtLeast(role, needed))
        throw new Forbidden(
          `${type}_read_only`,
          `You need the role ${needed}; you have the role ${role}. Ask the owner for it.`,
        );
      return resource;
    },
    async filterVisible({ userId }, type, resources) {
      const others = resources
        .filter(({ ownerId }) => ownerId !== userId)
        .map(({ id }) => id);
      const roles = await rolesOf(type, others, userId);
      return resources.filter(({ id, ownerId }) => ownerId === userId || roles.has(id));
    },
    findShared: ({ userId }) => listShared("document", userId),
  };
}
