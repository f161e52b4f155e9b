import { connectMcpClient, registerMcpClient } from "../../support/mcp-client.ts";
import { administrators, alike, ownerAlone, type Rows, services } from "../row.ts";
import type { World } from "../world.ts";

const publicly = {
  access: "public",
  cases: { it: { ask: () => ({}), answers: alike() } },
} as const;
const asked = async ({ parlance }: World) => {
  // of two replicas each has an address of its own here, so none is named
  const { resource: _, ...request } = (await registerMcpClient(parlance)).request;
  return request;
};
const granted = ({ parlance, people }: World) =>
  connectMcpClient(parlance, people.owner.token);

/** What users grant to clients of MCP. */
export const mcpClients: Rows = {
  mcpResource: publicly,
  mcpResourceAtRoot: publicly,
  mcpServerResource: {
    ...publicly,
    cases: { it: { ask: () => ({ params: { server: "none" } }), answers: alike() } },
  },
  mcpAuthorizationServer: publicly,
  registerMcpClient: {
    access: "public",
    cases: {
      // the limit on registrations is that of a network, and all callers are one
      it: { ask: () => ({ body: { redirect_uris: ["ftp://x"] } }), answers: alike(400) },
    },
  },
  mcpToken: {
    access: "public",
    cases: { it: { ask: () => ({}), answers: alike(400) } },
  },
  revokeMcpToken: publicly,
  readAuthorization: {
    access: "session",
    cases: {
      it: { ask: async (world) => ({ query: await asked(world) }), answers: alike() },
    },
    harmless: { "query.client_id": "any client may ask any user" },
  },
  decideAuthorization: {
    access: "session",
    cases: {
      it: {
        ask: async (world) => ({ body: { request: await asked(world), scopes: [] } }),
        answers: alike(),
      },
    },
    harmless: { "body.request.client_id": "any client may ask any user" },
  },
  listMcpGrants: {
    access: "session",
    cases: {
      it: {
        ask: async (world) => {
          await granted(world);
          return { mark: "Editor" };
        },
        answers: ownerAlone("with it", "without it"),
      },
    },
  },
  deleteMcpGrant: {
    access: "session",
    cases: {
      it: {
        ask: async (world) => {
          await granted(world);
          const { items } = await world.as<{ items: { id: string }[] }>(
            "owner",
            "GET",
            "/api/v1/oauth/grants",
          );
          return { params: { id: items[0]?.id ?? "" } };
        },
        answers: ownerAlone(),
        once: true,
      },
    },
  },
  listGrantsOfUsers: {
    access: "admin",
    cases: {
      it: {
        ask: async (world) => {
          await granted(world);
          return { mark: world.people.owner.id };
        },
        answers: administrators("with it", "without it"),
      },
    },
  },
  deleteGrantOfUser: {
    access: "admin",
    cases: {
      it: {
        ask: async (world) => {
          await granted(world);
          const { items } = await world.as<{ items: { id: string }[] }>(
            "owner",
            "GET",
            "/api/v1/oauth/grants",
          );
          return { params: { id: items[0]?.id ?? "" } };
        },
        answers: administrators("yes", 404),
        once: true,
      },
    },
  },
  verifyMcpToken: {
    access: "user-secret",
    cases: {
      it: {
        ask: async (world) => ({
          body: { token: (await granted(world)).access_token },
          mark: world.people.owner.id,
        }),
        answers: services,
        service: "with it",
      },
    },
  },
};
