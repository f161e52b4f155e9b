import { administrators, alike, from, ownerAlone, type Rows, services } from "../row.ts";
import { agent, type World } from "../world.ts";

const one = async (world: World) => {
  const { id, featureId } = await agent(world);
  return { resource: { resourceType: "agent", resourceId: id }, featureId };
};
const byPath = async (world: World) => ({ params: (await one(world)).resource });
const toStranger = ({ people }: World) => ({
  subjectType: "user",
  subjectId: people.stranger.id,
  accessRole: "viewer",
});
const shareOf = async (world: World) => {
  const { resource } = await one(world);
  const path = `/api/v1/sharing/shares/agent/${resource.resourceId}`;
  const { items } = await world.as<{ items: { id: string; subjectId: string }[] }>(
    "owner",
    "GET",
    path,
  );
  return {
    resource,
    shareId: items.find(({ subjectId }) => subjectId === world.people.viewer.id)?.id ?? "",
  };
};
const locked = async (world: World) => {
  const { resource, featureId } = await one(world);
  await world.as("owner", "POST", `/api/v1/sharing/locks/agent/${resource.resourceId}`);
  return { resource, featureId };
};
const SUBJECT = { "body.shares.subjectId": "with whom it is shared is the owner's choice" };

export const sharing: Rows = {
  share: {
    access: "jwt",
    cases: {
      it: {
        ask: async (world) => ({
          body: { ...(await one(world)).resource, shares: [toStranger(world)] },
        }),
        answers: from("owner"),
        once: true,
      },
    },
    harmless: SUBJECT,
  },
  listShares: { access: "jwt", cases: { it: { ask: byPath, answers: from("owner") } } },
  deleteShare: {
    access: "jwt",
    cases: {
      // its recipient may leave the share; to others it does not exist
      it: {
        ask: async (world) => ({ params: { shareId: (await shareOf(world)).shareId } }),
        answers: { ...ownerAlone(), viewer: "yes" },
        once: true,
      },
    },
  },
  sharedWithMe: {
    access: "jwt",
    cases: {
      it: {
        ask: async (world) => ({
          query: { limit: "100", resourceType: "agent" },
          mark: (await one(world)).resource.resourceId,
        }),
        answers: {
          ...from("viewer", { good: "with it", hidden: "without it" }),
          owner: "without it",
        },
        defence: "identity",
      },
    },
  },
  sharedWith: {
    access: "user-secret",
    cases: {
      it: {
        ask: async (world) => ({
          params: { userId: world.people.viewer.id },
          query: { limit: "100" },
          mark: (await one(world)).resource.resourceId,
        }),
        answers: services,
        service: "with it",
      },
    },
  },
  explainAccess: {
    access: "jwt",
    // its statement lists the caller's own grants, and decides by them
    cases: { it: { ask: byPath, answers: from("viewer"), defence: "identity" } },
  },
  getLink: { access: "jwt", cases: { it: { ask: byPath, answers: from("owner") } } },
  setLink: {
    access: "jwt",
    cases: {
      it: {
        ask: async (world) => ({ ...(await byPath(world)), body: { enabled: false } }),
        answers: from("owner"),
      },
    },
  },
  listSubjects: {
    access: "jwt",
    cases: {
      it: {
        ask: ({ people }) => ({ query: { query: "owner" }, mark: people.owner.id }),
        answers: {
          ...alike("with it"),
          foreigner: "without it",
          foreignAdmin: "without it",
        },
      },
    },
  },
  checkAccess: {
    access: ["user-secret", "jwt"],
    cases: {
      "about oneself": {
        ask: async (world) => ({
          body: { ...(await one(world)).resource, userId: world.people.owner.id },
          mark: '"owner"',
        }),
        // a caller may ask about others only for owned resources
        answers: { ...ownerAlone("with it", 403), admin: "with it" },
        service: "with it",
      },
    },
  },
  checkAccessBatch: {
    access: ["user-secret", "jwt"],
    cases: {
      it: {
        ask: async (world) => ({
          body: { userId: world.people.owner.id, resources: [(await one(world)).resource] },
          mark: '"owner"',
        }),
        answers: { ...ownerAlone("with it", "without it"), admin: "with it" },
        service: "with it",
      },
    },
  },
  registerFeature: {
    access: "user-secret",
    cases: {
      it: {
        ask: (world) => ({
          body: {
            resourceType: "agent",
            resourceId: world.word(),
            ownerId: world.people.owner.id,
          },
        }),
        answers: services,
      },
    },
  },
  registerFeatures: {
    access: "user-secret",
    cases: {
      it: {
        ask: (world) => ({
          body: {
            features: [
              {
                resourceType: "agent",
                resourceId: world.word(),
                ownerId: world.people.owner.id,
              },
            ],
          },
        }),
        answers: services,
      },
    },
  },
  deleteFeature: {
    access: "user-secret",
    cases: { it: { ask: byPath, answers: services } },
  },
  createShares: {
    access: "user-secret",
    cases: {
      it: {
        ask: async (world) => ({
          body: {
            featureId: (await one(world)).featureId,
            shares: [toStranger(world)],
            grantedByUserId: world.people.owner.id,
          },
        }),
        answers: services,
      },
    },
  },
  checkFeatureAccess: {
    access: "user-secret",
    cases: {
      it: {
        ask: async (world) => ({
          body: { ...(await one(world)).resource, userId: world.people.owner.id },
        }),
        answers: services,
      },
    },
  },
  acquireLock: {
    access: "jwt",
    cases: { it: { ask: byPath, answers: from("editor"), once: true } },
  },
  getLock: {
    access: "jwt",
    cases: {
      it: {
        ask: async (world) => ({ params: (await locked(world)).resource }),
        answers: from("viewer"),
      },
    },
  },
  releaseLock: {
    access: "jwt",
    cases: {
      it: {
        ask: async (world) => ({ params: (await locked(world)).resource }),
        answers: from("owner"),
        once: true,
      },
    },
  },
  listLocks: {
    access: "admin",
    cases: {
      it: {
        ask: async (world) => ({
          query: { limit: "100" },
          mark: (await locked(world)).resource.resourceId,
        }),
        answers: administrators("with it", "without it"),
      },
    },
  },
  forceRelease: {
    access: "admin",
    cases: {
      it: {
        ask: async (world) => ({ params: { featureId: (await locked(world)).featureId } }),
        answers: administrators("yes", 404),
        once: true,
      },
    },
  },
  acquireFeatureLock: {
    access: "user-secret",
    cases: {
      it: {
        ask: async (world) => ({
          params: { featureId: (await one(world)).featureId },
          body: { userId: world.people.owner.id },
        }),
        answers: services,
        once: true,
      },
    },
  },
  checkLock: {
    access: "user-secret",
    cases: {
      it: {
        ask: async (world) => ({
          body: { ...(await one(world)).resource, userId: world.people.owner.id },
        }),
        answers: services,
      },
    },
  },
};
