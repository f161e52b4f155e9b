import {
  administrators,
  alike,
  type Case,
  operators,
  ownerAlone,
  type Rows,
  services,
} from "../row.ts";
import { BROWSER, cookieOf } from "../../support/session-cookie.ts";
import { PASSWORD, type World } from "../world.ts";

/** Accounts, sessions and keys: users manage their own, administrators all. */

const somebody = async (world: World) => {
  const name = world.word();
  const user = { email: `${name}@test.example`, name, password: PASSWORD };
  return { ...(await world.as("admin", "POST", "/api/v1/users", user)), ...user };
};
const one = async (world: World) => ({ params: { id: (await somebody(world)).id } });
const credentials = async (world: World) => {
  const { email, password } = await somebody(world);
  return { email, password };
};
const role = async (world: World) => {
  const name = world.word();
  await world.as("admin", "POST", "/api/v1/roles", { name, permissions: [] });
  return name;
};
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
const oneRole = async (world: World) => ({ params: { name: await role(world) } });

/** The id of a second session of the owner. */
const newSession = async (world: World) => {
  await world.parlance.signIn("owner@test.example", PASSWORD);
  const path = "/api/v1/auth/sessions?limit=100";
  type Sessions = { items: { id: string; createdAt: string }[] };
  const { items } = await world.as<Sessions>("owner", "GET", path);
  return items.toSorted((a, b) => b.id.localeCompare(a.id))[0]?.id ?? "";
};

const own: Case = {
  ask: ({ people }) => ({ mark: people.owner.id }),
  answers: ownerAlone("with it", "without it"),
  defence: "identity",
};

export const identity: Rows = {
  login: {
    access: "public",
    cases: {
      it: { ask: async (world) => ({ body: await credentials(world) }), answers: alike() },
    },
  },
  refresh: {
    access: "public",
    cases: {
      it: {
        ask: async (world) => {
          const answer = await world.parlance.request("/api/v1/auth/login", {
            token: null,
            body: await credentials(world),
          });
          return {
            body: {
              refreshToken: ((await answer.json()) as { refreshToken: string })
                .refreshToken,
            },
          };
        },
        answers: alike(),
        once: true,
      },
    },
  },
  logout: {
    access: "session",
    cases: {},
    untried: "it ends the session of the one who asks; test/sessions.test.ts is about that",
  },
  app: { access: "public", cases: { it: { ask: () => ({}), answers: alike() } } },
  logo: {
    access: "public",
    cases: { it: { ask: () => ({}), answers: alike("404 logo_not_found") } },
  },
  changeBranding: {
    access: "operator",
    cases: { it: { ask: () => ({ body: {} }), answers: operators() } },
  },
  setUp: {
    access: "public",
    cases: {
      it: {
        ask: () => ({ body: { code: "not it", password: "another long password" } }),
        answers: alike("409 already_set_up"),
      },
    },
  },
  startBrowserSession: {
    access: "public",
    cases: {
      it: {
        ask: async (world) => ({ body: await credentials(world), headers: BROWSER }),
        answers: alike(),
      },
    },
  },
  exchangeCookie: {
    access: "user-secret",
    cases: {
      it: {
        ask: async (world) => {
          const cookie = await cookieOf(world.parlance, await credentials(world));
          return { body: { cookie: cookie.slice(cookie.indexOf("=") + 1) } };
        },
        answers: services,
      },
    },
  },
  listSessions: {
    access: "session",
    cases: {
      it: {
        ask: async (world) => ({ mark: await newSession(world) }),
        answers: ownerAlone("with it", "without it"),
        defence: "identity",
      },
    },
  },
  endOneSession: {
    access: "session",
    cases: {
      it: {
        ask: async (world) => ({ params: { id: await newSession(world) } }),
        answers: ownerAlone(),
        once: true,
        defence: "identity",
      },
    },
  },
  endOtherSessions: {
    access: "session",
    cases: {},
    untried: "it ends the sessions of this test; test/browser-sessions.test.ts covers it",
  },
  me: {
    access: "jwt",
    cases: { it: own },
  },
  changePassword: {
    access: "session",
    cases: {
      it: {
        ask: () => ({
          body: { currentPassword: "not it", newPassword: "another long password" },
        }),
        answers: alike(403),
      },
    },
  },
  signUp: {
    access: "public",
    cases: {
      it: {
        ask: () => ({
          body: { email: "new@test.example", password: PASSWORD, name: "New" },
        }),
        answers: alike(403),
      },
    },
  },
  jwks: { access: "public", cases: { it: { ask: () => ({}), answers: alike() } } },
  createApiKey: {
    access: "session",
    cases: { it: { ask: () => ({ body: { name: "k" } }), answers: alike() } },
  },
  listApiKeys: {
    access: "session",
    cases: {
      it: {
        ask: async (world) => {
          const mark = world.word();
          await world.as("owner", "POST", "/api/v1/auth/api-keys", { name: mark });
          return { mark };
        },
        answers: ownerAlone("with it", "without it"),
      },
    },
  },
  deleteApiKey: {
    access: "session",
    cases: {
      it: {
        ask: async (world) => ({
          params: {
            id: (await world.as("owner", "POST", "/api/v1/auth/api-keys", { name: "k" }))
              .id,
          },
        }),
        answers: ownerAlone(),
        once: true,
      },
    },
  },
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
  listRevocations: {
    access: "user-secret",
    cases: { it: { ask: () => ({ query: { after: "0" } }), answers: services } },
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
  verifyApiKey: {
    access: "user-secret",
    cases: {
      it: {
        ask: async (world) => {
          const { key } = await world.as<{ key: string }>(
            "owner",
            "POST",
            "/api/v1/auth/api-keys",
            { name: "k" },
          );
          return { body: { key }, mark: world.people.owner.id };
        },
        answers: services,
        service: "with it",
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
  explainPermissions: {
    access: "admin",
    cases: { it: { ask: one, answers: administrators("yes", 404) } },
  },
  listGroupsOfUser: {
    access: "admin",
    cases: { it: { ask: one, answers: administrators("yes", 404) } },
  },
  listUserSessions: {
    access: "admin",
    cases: { it: { ask: one, answers: administrators("yes", 404) } },
  },
  endUserSessions: {
    access: "admin",
    cases: { it: { ask: one, answers: administrators("yes", 404), once: true } },
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
          query: { transferTo: (await somebody(world)).id },
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
  listProviders: { access: "public", cases: { it: { ask: () => ({}), answers: alike() } } },
  startSignIn: {
    access: "public",
    cases: { it: { ask: () => ({ params: { provider: "none" } }), answers: alike(404) } },
  },
  finishSignIn: {
    access: "public",
    cases: { it: { ask: () => ({ params: { provider: "none" } }), answers: alike(404) } },
  },
  exchange: {
    access: "public",
    cases: { it: { ask: () => ({ body: { code: "none" } }), answers: alike(401) } },
  },
  listPermissions: { access: "jwt", cases: { it: { ask: () => ({}), answers: alike() } } },
  rolesOfUser: {
    access: ["user-secret", "jwt"],
    cases: {
      it: {
        ask: ({ people }) => ({ params: { userId: people.owner.id } }),
        answers: { ...ownerAlone(), admin: "yes" },
      },
    },
  },
  rolesOfGroups: {
    access: "user-secret",
    cases: {
      it: {
        ask: ({ people }) => ({
          body: { userId: people.owner.id, clientId: "default", roles: ["user"] },
        }),
        answers: services,
      },
    },
  },
  rolePermissions: {
    access: ["user-secret", "jwt"],
    cases: { it: { ask: () => ({ body: { roles: ["user"] } }), answers: alike() } },
  },
  listRoles: {
    access: "admin",
    cases: { it: { ask: () => ({}), answers: administrators() } },
  },
  createRole: {
    access: "operator",
    cases: {
      it: {
        ask: (world) => ({ body: { name: world.word(), permissions: [] } }),
        answers: operators(),
        once: true,
      },
    },
  },
  getRole: { access: "admin", cases: { it: { ask: oneRole, answers: administrators() } } },
  changeRole: {
    access: "operator",
    cases: {
      it: {
        ask: async (world) => ({ ...(await oneRole(world)), body: { description: "d" } }),
        answers: operators(),
      },
    },
  },
  deleteRole: {
    access: "operator",
    cases: { it: { ask: oneRole, answers: operators(), once: true } },
  },
  listAudit: {
    access: "admin",
    cases: { it: { ask: () => ({}), answers: administrators() } },
  },
  exportAudit: {
    access: "admin",
    cases: { it: { ask: () => ({}), answers: administrators() } },
  },
  recordAudit: {
    access: "user-secret",
    cases: {
      it: {
        ask: ({ people }) => ({
          body: {
            actorId: people.owner.id,
            action: "test.done",
            resourceType: "test",
            resourceId: "1",
          },
        }),
        answers: services,
      },
    },
  },
};
