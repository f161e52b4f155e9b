import { call, type Fetch } from "../../platform/http/call.ts";
import { allItems, type PageQuery } from "../../platform/http/page.ts";
import { type AccessRole, type Resource, sharingContract } from "./contract-sharing.ts";

type Type = Resource["resourceType"];

const TIMEOUT_MS = 5_000;
const MAX_PER_CALL = 500;

/** Calls of the services that store resources: who owns them, and who may use them. */
export interface ResourceRegister {
  /** The user's roles for resources. Resources without access are missing. */
  rolesOf(
    type: Type,
    ids: readonly string[],
    userId: string,
  ): Promise<Map<string, AccessRole>>;
  /** The ids of all resources that others share with the user. */
  listShared(type: Type, userId: string, signal?: AbortSignal): Promise<string[]>;
  /** Registers a resource with its owner and folder; called again when they change. */
  register(
    type: Type,
    id: string,
    ownerId: string,
    folderId?: string | null,
  ): Promise<void>;
  /** Registers many resources that are in no folder. */
  registerAll(
    type: Type,
    resources: readonly { id: string; ownerId: string }[],
  ): Promise<void>;
  /** Deletes the registration of a resource that was deleted. */
  forget(type: Type, id: string): Promise<void>;
}

export function createResourceRegister(users: Fetch): ResourceRegister {
  const options = { timeoutMs: TIMEOUT_MS };
  return {
    async rolesOf(resourceType, ids, userId) {
      const roles = new Map<string, AccessRole>();
      for (const some of groupsOf(ids)) {
        const resources = some.map((resourceId) => ({ resourceType, resourceId }));
        const body = { userId, resources };
        const { results } = await call(
          users,
          sharingContract.checkAccessBatch,
          { body },
          options,
        );
        for (const { resourceId, role } of results) if (role) roles.set(resourceId, role);
      }
      return roles;
    },
    async listShared(resourceType, userId, signal) {
      const ids: string[] = [];
      const readOne = (page: PageQuery) =>
        call(
          users,
          sharingContract.sharedWith,
          { params: { userId }, query: { resourceType, ...page } },
          { ...options, ...(signal && { signal }) },
        );
      for await (const { resourceId } of allItems(readOne)) ids.push(resourceId);
      return ids;
    },
    async register(resourceType, resourceId, ownerId, parentId) {
      const body = { resourceType, resourceId, ownerId, parentId };
      await call(users, sharingContract.registerFeature, { body }, options);
    },
    async registerAll(resourceType, resources) {
      for (const some of groupsOf(resources)) {
        const features = some.map(({ id: resourceId, ownerId }) => ({
          resourceType,
          resourceId,
          ownerId,
        }));
        const body = { features };
        await call(users, sharingContract.registerFeatures, { body }, options);
      }
    },
    async forget(resourceType, resourceId) {
      const params = { resourceType, resourceId };
      await call(users, sharingContract.deleteFeature, { params }, options);
    },
  };
}

/** As many at a time as one call takes. */
function* groupsOf<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let from = 0; from < items.length; from += MAX_PER_CALL)
    yield items.slice(from, from + MAX_PER_CALL);
}
