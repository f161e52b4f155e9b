import { administrators, alike, type Row, type Rows, services } from "../row.ts";
import type { World } from "../world.ts";

/**
 * SCIM: identity providers alone, by their tokens, which `test/scim.test.ts` is about. Nobody else
 * gets an answer, whatever they name.
 */

const ofProviders = (ask: () => object = () => ({})): Row => ({
  access: "scim-token",
  cases: { it: { ask, answers: alike(401) } },
});
const one = () => ({ params: { id: crypto.randomUUID() } });
const changed = () => ({
  ...one(),
  body: { Operations: [{ op: "remove", path: "active" }] },
});
const made = async (world: World) => {
  const name = world.word();
  type Made = { id: string; token: string };
  const path = "/api/v1/scim-tokens";
  return { name, ...(await world.as<Made>("admin", "POST", path, { name })) };
};

export const scim: Rows = {
  scimConfig: ofProviders(),
  scimResourceTypes: ofProviders(),
  scimResourceType: ofProviders(one),
  scimSchemas: ofProviders(),
  scimSchema: ofProviders(one),
  scimListUsers: ofProviders(),
  scimCreateUser: ofProviders(() => ({ body: { userName: "ada@test.example" } })),
  scimGetUser: ofProviders(one),
  scimReplaceUser: ofProviders(() => ({ ...one(), body: {} })),
  scimPatchUser: ofProviders(changed),
  scimDeleteUser: ofProviders(one),
  scimListGroups: ofProviders(),
  scimCreateGroup: ofProviders(() => ({ body: { displayName: "Engines" } })),
  scimGetGroup: ofProviders(one),
  scimReplaceGroup: ofProviders(() => ({ ...one(), body: {} })),
  scimPatchGroup: ofProviders(changed),
  scimDeleteGroup: ofProviders(one),
  scimSearch: ofProviders(),
  scimUnknown: ofProviders(() => ({ params: { endpoint: "Nothing" } })),
  listScimTokens: {
    access: "admin",
    cases: {
      it: {
        ask: async (world) => ({ query: { limit: "100" }, mark: (await made(world)).name }),
        answers: administrators("with it", "without it"),
      },
    },
  },
  createScimToken: {
    access: "admin",
    cases: {
      it: {
        ask: (world) => ({ body: { name: world.word() } }),
        answers: administrators(),
      },
    },
  },
  revokeScimToken: {
    access: "admin",
    cases: {
      it: {
        ask: async (world) => ({ params: { id: (await made(world)).id } }),
        answers: administrators("yes", 404),
        once: true,
      },
    },
  },
  verifyScimToken: {
    access: "user-secret",
    cases: {
      it: {
        ask: async (world) => ({ body: { token: (await made(world)).token } }),
        answers: services,
      },
    },
  },
};
