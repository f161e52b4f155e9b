import {
  administrators,
  alike,
  type Case,
  operators,
  ownerAlone,
  type Rows,
  services,
} from "../row.ts";
import { user, type World } from "../world.ts";

/** Accounts: users manage their own, administrators all. */

const one = async (world: World) => ({ params: { id: (await user(world)).id } });
/** A user of another issuer in the owner's tenant. */
const external = async (world: World) => {
  const userId = world.word();
  const seen = {
    userId,
    clientId: "default",
    email: `${userId}@issuer.example`,
    name: userId,
  };
  await world.asService("POST", "/api/v1/users/seen", seen);
  return userId;
};
const own: Case = {
  ask: ({ people }) => ({ mark: people.owner.id }),
  answers: ownerAlone("with it", "without it"),
  defence: "identity",
};

export const accounts: Rows = {
  app: { access: "public", cases: { it: { ask: () => ({}), answers: alike() } } },
  logo: {
    access: "public",
    cases: { it: { ask: () => ({}), answers: alike("404 logo_not_found") } },
  },
  changeBranding: {
    access: "operator",
    cases: { it: { ask: () => ({ body: {} }), answers: operators() } },
  },
  me: {
    access: "jwt",
    cases: { it: own },
  },
  listNotices: {
    access: "jwt",
    cases: { it: { ask: () => ({}), answers: alike() } },
  },
  readNotices: {
    access: "session",
    cases: { it: { ask: () => ({}), answers: alike() } },
  },
  jwks: { access: "public", cases: { it: { ask: () => ({}), answers: alike() } } },
  listExternalUsers: {
    access: "admin",
    cases: {
      it: {
        ask: async (world) => ({ query: { limit: "100" }, mark: await external(world) }),
        answers: administrators("with it", "without it"),
      },
    },
  },
  changeExternalUser: {
    access: "admin",
    cases: {
      it: {
        ask: async (world) => ({
          params: { userId: await external(world) },
          body: { disabled: true },
        }),
        answers: administrators("yes", 404),
      },
    },
  },
  deleteExternalUser: {
    access: "admin",
    cases: {
      it: {
        ask: async (world) => ({ params: { userId: await external(world) } }),
        answers: administrators("yes", 404),
        once: true,
      },
    },
  },
  standing: {
    access: "user-secret",
    cases: {
      it: {
        ask: ({ people }) => ({ params: { userId: people.owner.id } }),
        answers: services,
      },
    },
  },
  standings: {
    access: "user-secret",
    cases: {
      it: {
        ask: ({ people }) => ({ body: { userIds: [people.owner.id, people.owner.id] } }),
        answers: services,
      },
    },
  },
  readDeletion: {
    access: "user-secret",
    cases: {
      it: {
        ask: async (world) => {
          const { id } = await user(world);
          await world.as("admin", "DELETE", `/api/v1/users/${id}`);
          return { params: { userId: id } };
        },
        answers: services,
      },
    },
  },
  reportDeletion: {
    access: "user-secret",
    cases: {
      it: {
        ask: async (world) => {
          const { id } = await user(world);
          await world.as("admin", "DELETE", `/api/v1/users/${id}`);
          const body = { service: "core", state: "done", attempt: 1, isLast: false };
          return { params: { userId: id }, body };
        },
        answers: services,
      },
    },
  },
  listDeletedUsers: {
    access: "admin",
    cases: {
      it: {
        ask: async (world) => {
          const { id } = await user(world);
          await world.as("admin", "DELETE", `/api/v1/users/${id}`);
          return { query: { limit: "100" }, mark: id };
        },
        answers: administrators("with it", "without it"),
      },
    },
  },
  seeUser: {
    access: "user-secret",
    cases: {
      it: {
        ask: (world) => ({
          body: { userId: world.word(), clientId: "another", email: "", name: "Seen" },
        }),
        answers: services,
      },
    },
  },
  listUsers: {
    access: "admin",
    cases: { it: { ask: () => ({}), answers: administrators() } },
  },
  createUser: {
    access: "admin",
    cases: {
      it: {
        ask: (world) => ({ body: { email: `${world.word()}@test.example`, name: "New" } }),
        answers: administrators(),
        once: true,
      },
    },
  },
  getUser: {
    access: ["admin", "user-secret"],
    cases: { it: { ask: one, answers: administrators("yes", 404) } },
  },
  listGroupsOfUser: {
    access: "admin",
    cases: { it: { ask: one, answers: administrators("yes", 404) } },
  },
  changeUser: {
    access: "admin",
    cases: {
      it: {
        ask: async (world) => ({ ...(await one(world)), body: { name: "renamed" } }),
        answers: administrators("yes", 404),
      },
    },
  },
  deleteUser: {
    access: "admin",
    cases: {
      it: {
        ask: async (world) => ({
          ...(await one(world)),
          query: { transferTo: (await user(world)).id },
        }),
        answers: administrators("yes", 404),
        once: true,
      },
    },
  },
  exportUser: {
    access: "admin",
    cases: { it: { ask: one, answers: administrators("yes", 404) } },
  },
  exportMe: {
    access: "jwt",
    cases: { it: own },
  },
  changeMe: {
    access: "jwt",
    cases: { it: { ask: () => ({ body: { name: "renamed" } }), answers: alike() } },
  },
};
