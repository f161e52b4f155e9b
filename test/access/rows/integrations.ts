import {
  alike,
  type Answer,
  from,
  ownerAlone,
  PEOPLE,
  type Rows,
  services,
} from "../row.ts";
import { document, type World } from "../world.ts";

/**
 * A flow is available to its owner and to users with a grant. Permission routes answer 401 to
 * callers who are not administrators.
 */

const GRAPH = {
  nodes: [{ id: "ChatInput-1", type: "genericNode", data: { type: "ChatInput" } }],
  edges: [],
};
const GRANT = "/api/v1/flowengine/admin/permissions/grant";
const OF_TENANT = PEOPLE.filter((person) => !person.startsWith("foreign"));
const flow = async (world: World) => {
  const mark = world.word();
  const { id } = await world.as("owner", "POST", "/api/v1/flowengine/flows", {
    name: mark,
    data: GRAPH,
  });
  return { id, mark };
};
const grant = (world: World, userId: string, flowId: string) =>
  world.as<{ apiKey: string }>("admin", "POST", GRANT, {
    userId,
    flowId,
  });
const groupOfOne = async (world: World) => {
  const groups = "/api/v1/groups";
  const { id } = await world.as<{ id: string }>("admin", "POST", groups, {
    name: world.word(),
  });
  await world.as("admin", "PUT", `${groups}/${id}/members/${world.people.stranger.id}`);
  return id;
};
const administrators = (elsewhere: Answer = "yes") =>
  ({ ...alike(401), admin: "yes", foreignAdmin: elsewhere }) as const;
const atProvider = { params: { providerName: "flowengine" } };
const ofService = { service: "400 user_id_required" } as const;

/** On a PORT that only this machine reaches. */
const observed = ["public", "local", "service-secret", "jwt"] as const;

export const integrations: Rows = {
  listProviders: { access: "public", cases: { it: { ask: () => ({}), answers: alike() } } },
  allHealth: { access: observed, cases: { it: { ask: () => ({}), answers: alike() } } },
  providerHealth: {
    access: observed,
    cases: { it: { ask: () => atProvider, answers: alike() } },
  },
  flowProviderHealth: {
    access: observed,
    cases: { it: { ask: () => ({}), answers: alike() } },
  },
  ensureTokens: {
    access: "jwt",
    cases: { it: { ask: () => atProvider, answers: alike() } },
  },
  ensureAccount: {
    access: "jwt",
    cases: { it: { ask: () => atProvider, answers: alike() } },
  },
  refreshTokens: { access: "jwt", cases: { it: { ask: () => ({}), answers: alike() } } },
  listFlows: {
    access: "jwt",
    cases: {
      it: {
        ask: async (world) => ({ query: { limit: "100" }, mark: (await flow(world)).mark }),
        answers: ownerAlone("with it", "without it"),
        defence: "identity",
      },
    },
  },
  createFlow: {
    access: "jwt",
    cases: { it: { ask: () => ({ body: { name: "a flow" } }), answers: alike() } },
  },
  getFlow: {
    access: ["jwt", "service-secret"],
    cases: {
      it: {
        ask: async (world) => {
          const { id, mark } = await flow(world);
          return { params: { flowId: id }, mark };
        },
        answers: ownerAlone("with it", "404 flow_not_found"),
        defence: "identity",
        ...ofService,
      },
      "in another's name": {
        ask: async (world) => ({
          params: { flowId: (await flow(world)).id },
          query: { userId: world.people.owner.id },
        }),
        answers: ownerAlone("yes", "400 user_id_not_permitted"),
        defence: "identity",
      },
    },
  },
  runFlow: {
    access: ["jwt", "flow-key", "service-secret"],
    cases: {
      it: {
        ask: async (world) => {
          const mark = world.word();
          return {
            params: { flowId: (await flow(world)).id },
            body: { input: mark },
            mark,
          };
        },
        answers: ownerAlone("with it", "404 flow_not_found"),
        defence: "identity",
        ...ofService,
      },
      "in another's name": {
        ask: async (world) => ({
          params: { flowId: (await flow(world)).id },
          body: { input: "a", userId: world.people.owner.id },
        }),
        answers: ownerAlone("yes", "400 user_id_not_permitted"),
        defence: "identity",
      },
      "with a document": {
        ask: async (world) => {
          const { id: flowId } = await flow(world);
          for (const person of OF_TENANT)
            await grant(world, world.people[person].id, flowId);
          return {
            params: { flowId },
            body: { input: "a", files: [(await document(world)).id] },
            everybodys: [flowId],
          };
        },
        answers: {
          ...from("viewer", { hidden: "404 document_not_found" }),
          foreigner: "404 flow_not_found",
          foreignAdmin: "404 flow_not_found",
        },
        ...ofService,
      },
    },
    harmless: {
      "body.sessionId":
        "the provider gets it hashed with the user, so another's is another one",
    },
  },
  getFlowKey: {
    access: "session",
    cases: {
      it: {
        ask: async (world) => {
          const { id: flowId } = await flow(world);
          for (const person of OF_TENANT)
            await grant(world, world.people[person].id, flowId);
          const theirs = { name: world.word(), data: GRAPH };
          const { id } = await world.as(
            "foreigner",
            "POST",
            "/api/v1/flowengine/flows",
            theirs,
          );
          for (const person of ["foreigner", "foreignAdmin"] as const)
            await world.as("foreignAdmin", "POST", GRANT, {
              userId: world.people[person].id,
              flowId: id,
            });
          return {};
        },
        answers: ownerAlone("yes", "yes"),
      },
    },
  },
  grantFlow: {
    access: "admin",
    cases: {
      it: {
        ask: async (world) => ({
          body: { userId: world.people.stranger.id, flowId: (await flow(world)).id },
        }),
        answers: administrators(404),
      },
    },
  },
  grantFlowToGroup: {
    access: "admin",
    cases: {
      it: {
        ask: async (world) => ({
          body: { groupId: await groupOfOne(world), flowId: (await flow(world)).id },
        }),
        answers: administrators(400),
      },
    },
  },
  listGrantableFlows: {
    access: "admin",
    cases: {
      it: {
        ask: async (world) => {
          const { id, mark } = await flow(world);
          await grant(world, world.people.stranger.id, id);
          return { query: { query: mark }, mark };
        },
        answers: administrators("without it"),
      },
    },
  },
  revokeFlows: {
    access: "admin",
    cases: {
      it: {
        ask: async (world) => ({
          body: { userIds: [world.people.stranger.id], flowId: (await flow(world)).id },
        }),
        answers: administrators(),
      },
    },
  },
  listPermissions: {
    access: "admin",
    cases: { it: { ask: () => ({}), answers: administrators() } },
  },
  verifyFlowKey: {
    access: "service-secret",
    cases: {
      it: {
        ask: async (world) => {
          const { apiKey } = await grant(
            world,
            world.people.owner.id,
            (await flow(world)).id,
          );
          return { body: { key: apiKey } };
        },
        answers: services,
      },
    },
  },
  personalData: {
    access: "service-secret",
    cases: {
      it: {
        ask: (world) => ({ params: { userId: world.people.owner.id } }),
        answers: services,
      },
    },
  },
};
