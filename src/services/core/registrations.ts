import { call, type Fetch } from "../../platform/http/call.ts";
import { sharingContract } from "../users/contract-sharing.ts";
import type { ResourceType } from "./editing-locks.ts";

const TIMEOUT_MS = 5_000;
const MAX_PER_CALL = 500;

/** Calls of the users service about which resources exist, and who owns them. */
export interface Registrations {
  /** Registers a resource with its owner, or changes its owner. */
  register(type: ResourceType, id: string, ownerId: string): Promise<void>;
  /** Registers many resources. */
  registerAll(
    type: ResourceType,
    resources: readonly { id: string; ownerId: string }[],
  ): Promise<void>;
  /** Deletes the registration of a resource that was deleted. */
  forget(type: ResourceType, id: string): Promise<void>;
}

export function createRegistrations(users: Fetch): Registrations {
  return {
    async register(resourceType, resourceId, ownerId) {
      await call(
        users,
        sharingContract.registerFeature,
        { body: { resourceType, resourceId, ownerId } },
        { timeoutMs: TIMEOUT_MS },
      );
    },
    async registerAll(resourceType, resources) {
      for (let from = 0; from < resources.length; from += MAX_PER_CALL) {
        const some = resources.slice(from, from + MAX_PER_CALL);
        const features = some.map(({ id: resourceId, ownerId }) => ({
          resourceType,
          resourceId,
          ownerId,
        }));
        await call(
          users,
          sharingContract.registerFeatures,
          { body: { features } },
          { timeoutMs: TIMEOUT_MS },
        );
      }
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
