import { alike, type Case, ownerAlone, type Rows, services } from "../row.ts";
import type { World } from "../world.ts";

/**
 * Pins, tags and the like belong to the caller, whomever the request names; services name the user.
 */

const access = ["jwt", "user-secret"] as const;
const whose = ({ people }: World) => ({ userId: people.owner.id });
const pinned = async (world: World, kind: "pins" | "favorites") => {
  const mark = world.word();
  await world.as("owner", "PUT", `/api/v1/${kind}/note/${mark}`);
  return mark;
};
const tagged = async (world: World) => {
  const [tag, mark] = [world.word(), world.word()];
  await world.as("owner", "PUT", `/api/v1/tags/note/${mark}`, { tags: [tag] });
  return { tag, mark };
};
/** Lists of the caller, even if the request names the owner. */
const own = (ask: Case["ask"]): Case => ({
  ask,
  answers: ownerAlone("with it", "without it"),
  service: "with it",
});
const any = (ask: Case["ask"]): Case => ({ ask, answers: alike() });
const listOf = (kind: "pins" | "favorites") => ({
  access,
  cases: {
    userId: own(async (world) => ({
      query: whose(world),
      mark: await pinned(world, kind),
    })),
  },
});
const harmless = {
  "params.resourceId": "one marks what one likes: nothing is read by it",
  "query.userId":
    "only a service may name somebody; a user's own are changed, and the lists show that the owner's stay",
};
const removeOf = (kind: "pins" | "favorites") => ({
  access,
  cases: {
    it: {
      ask: async (world: World) => ({
        params: { resourceType: "note", resourceId: await pinned(world, kind) },
        query: whose(world),
      }),
      answers: ownerAlone(),
      once: true as const,
    },
  },
});
const addOf = {
  access,
  cases: {
    it: any((world) => ({
      params: { resourceType: "note", resourceId: world.word() },
      query: whose(world),
    })),
  },
  harmless,
};
const account = async (world: World) => {
  const { id } = await world.as("admin", "POST", "/api/v1/users", {
    email: `${world.word()}@test.example`,
    name: "A",
  });
  await world.asService("POST", "/api/v1/langflow-users", {
    userId: id,
    username: "u",
    password: "p",
  });
  return id;
};

export const personal: Rows = {
  listPins: listOf("pins"),
  addPin: addOf,
  removePin: removeOf("pins"),
  listFavorites: listOf("favorites"),
  addFavorite: addOf,
  removeFavorite: removeOf("favorites"),
  listTags: {
    access,
    cases: {
      userId: own(async (world) => ({
        query: whose(world),
        mark: (await tagged(world)).tag,
      })),
    },
  },
  listTagged: {
    access,
    cases: {
      userId: own(async (world) => {
        const { tag, mark } = await tagged(world);
        return { params: { tag }, query: whose(world), mark };
      }),
    },
  },
  getTags: {
    access,
    cases: {
      userId: own(async (world) => {
        const { tag, mark } = await tagged(world);
        return {
          params: { resourceType: "note", resourceId: mark },
          query: whose(world),
          mark: tag,
        };
      }),
    },
  },
  setTags: {
    access,
    cases: {
      it: any((world) => ({
        params: { resourceType: "note", resourceId: world.word() },
        query: whose(world),
        body: { tags: ["t"] },
      })),
    },
    harmless,
  },
  getPreferences: {
    access,
    cases: {
      userId: own(async (world) => {
        const mark = world.word();
        await world.as("owner", "PATCH", "/api/v1/preferences", { theme: mark });
        return { query: whose(world), mark };
      }),
    },
  },
  changePreferences: {
    access,
    cases: {
      userId: {
        ...own(async (world) => {
          const mark = world.word();
          await world.as("owner", "PATCH", "/api/v1/preferences", { theme: mark });
          return { query: whose(world), body: { size: 1 }, mark };
        }),
        defence: "identity",
      },
    },
  },
  userInfo: {
    access,
    cases: {
      ids: {
        ask: ({ people }) => ({ query: { ids: people.owner.id }, mark: people.owner.id }),
        answers: {
          ...alike("with it"),
          foreigner: "without it",
          foreignAdmin: "without it",
        },
      },
    },
    harmless: { "query.clientId": "it narrows for services; users get their own tenant" },
  },
  getFlowAccount: {
    access: ["user-secret", "session"],
    cases: {
      userId: {
        ask: async (world) => {
          const userId = world.people.owner.id;
          await world
            .asService("POST", "/api/v1/langflow-users", {
              userId,
              username: "u",
              password: "p",
            })
            .catch(() => {});
          return { query: { userId } };
        },
        answers: ownerAlone(),
      },
    },
  },
  createFlowAccount: {
    access: "user-secret",
    cases: {
      it: {
        ask: (world) => ({ body: { userId: world.word(), username: "u", password: "p" } }),
        answers: services,
        once: true,
      },
    },
  },
  changeFlowAccount: {
    access: "user-secret",
    cases: {
      it: {
        ask: async (world) => ({
          params: { userId: await account(world) },
          body: { username: "v" },
        }),
        answers: services,
      },
    },
  },
  deleteFlowAccount: {
    access: "user-secret",
    cases: {
      it: {
        ask: async (world) => ({ params: { userId: await account(world) } }),
        answers: services,
        once: true,
      },
    },
  },
};
