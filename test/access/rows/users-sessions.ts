import { administrators, alike, ownerAlone, type Rows, services } from "../row.ts";
import { BROWSER, cookieOf } from "../../support/session-cookie.ts";
import { PASSWORD, user, type World } from "../world.ts";

/** Sign-in, sessions and keys: users manage their own, administrators end those of all. */

const one = async (world: World) => ({ params: { id: (await user(world)).id } });
const credentials = async (world: World) => {
  const { email, password } = await user(world);
  return { email, password };
};
/** The id of a second session of the owner. */
const newSession = async (world: World) => {
  await world.parlance.signIn("owner@test.example", PASSWORD);
  const path = "/api/v1/auth/sessions?limit=100";
  type Sessions = { items: { id: string; createdAt: string }[] };
  const { items } = await world.as<Sessions>("owner", "GET", path);
  return items.toSorted((a, b) => b.id.localeCompare(a.id))[0]?.id ?? "";
};

export const sessions: Rows = {
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
  confirm: {
    access: "session",
    cases: {},
    untried:
      "it takes the password of the one who asks; test/confirmation.test.ts is about that",
  },
  logout: {
    access: "session",
    cases: {},
    untried: "it ends the session of the one who asks; test/sessions.test.ts is about that",
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
  listRevocations: {
    access: "user-secret",
    cases: { it: { ask: () => ({ query: { after: "0" } }), answers: services } },
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
  listUserSessions: {
    access: "admin",
    cases: { it: { ask: one, answers: administrators("yes", 404) } },
  },
  endUserSessions: {
    access: "admin",
    cases: { it: { ask: one, answers: administrators("yes", 404), once: true } },
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
  endProviderSession: {
    access: "public",
    cases: { it: { ask: () => ({ params: { provider: "none" } }), answers: alike(404) } },
  },
  link: {
    access: "public",
    cases: {
      it: {
        ask: () => ({ body: { code: "none", password: "none" } }),
        answers: alike(401),
      },
    },
  },
  exchange: {
    access: "public",
    cases: { it: { ask: () => ({ body: { code: "none" } }), answers: alike(401) } },
  },
};
