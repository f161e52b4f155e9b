import { administrators, from, members, ownerAlone, type Rows, services } from "../row.ts";
import { agent, document, type World } from "../world.ts";

const one = async (world: World) => {
  const { id, mark } = await agent(world);
  return { params: { id }, mark };
};
const inTrash = async (world: World) => {
  const { id, mark } = await agent(world);
  await world.as("owner", "DELETE", `/api/v1/agent/${id}`);
  return { params: { id }, mark };
};
const folder = async (world: World) => {
  const mark = world.word();
  return {
    ...(await world.as("owner", "POST", "/api/v1/agent/folders", { name: mark })),
    mark,
  };
};
const oneFolder = async (world: World) => ({ params: { id: (await folder(world)).id } });
/** A definition that names the owner's resources. */
const named = {
  files: async (world: World) => ({ files: [(await document(world)).id] }),
  docIds: async (world: World) => ({
    type: "cortex",
    retrieval: { docIds: [(await document(world)).id] },
  }),
  folderId: async (world: World) => ({ folderId: (await folder(world)).id }),
};
const FLOW = {
  "body.flowId": "a flow that the user may not run is refused, see flow-agents.test.ts",
};
/**
 * A change of the owner's agent that names the owner's resources, so that every caller asks the
 * same.
 */
const changes = (more: object) => ({
  agent: {
    ask: async (world: World) => ({
      ...(await one(world)),
      body: { name: "renamed", ...more },
    }),
    answers: from("editor"),
  },
  files: {
    ask: async (world: World) => ({
      ...(await one(world)),
      body: { name: "renamed", ...more, ...(await named.files(world)) },
    }),
    answers: from("editor"),
  },
  "retrieval.docIds": {
    ask: async (world: World) => ({
      ...(await one(world)),
      body: { name: "renamed", ...more, ...(await named.docIds(world)) },
    }),
    answers: from("editor"),
  },
  // folders belong to the owner: an editor of the agent does not see them
  folderId: {
    ask: async (world: World) => ({
      ...(await one(world)),
      body: { name: "renamed", ...more, ...(await named.folderId(world)) },
    }),
    answers: { ...from("editor"), editor: 404 },
  },
});
/** Each item of a bulk request has its own outcome. */
const DONE = '"success":true';

export const agents: Rows = {
  resolveAgents: {
    access: "service-secret",
    cases: {
      it: {
        ask: async (world) => {
          const { id, mark } = await agent(world);
          return {
            body: { userId: world.people.owner.id, clientId: "default", ids: [id] },
            mark,
          };
        },
        answers: services,
        service: "with it",
      },
    },
  },
  createAgent: {
    access: "jwt",
    cases: {
      files: {
        ask: async (world) => ({ body: { name: "mine", ...(await named.files(world)) } }),
        answers: from("viewer"),
      },
      "retrieval.docIds": {
        ask: async (world) => ({ body: { name: "mine", ...(await named.docIds(world)) } }),
        answers: from("viewer"),
      },
      folderId: {
        ask: async (world) => ({
          body: { name: "mine", ...(await named.folderId(world)) },
        }),
        answers: ownerAlone(),
      },
      "an agent of the organisation": {
        ask: () => ({ body: { name: "ours", type: "organization" } }),
        answers: administrators(),
      },
    },
    harmless: FLOW,
  },
  listAgents: {
    access: "jwt",
    cases: {
      it: {
        ask: async (world) => ({ mark: (await agent(world)).mark }),
        answers: ownerAlone("with it", "without it"),
      },
      "all that one may use": {
        ask: async (world) => ({
          mark: (await agent(world)).mark,
          query: { scope: "all", limit: "100" },
        }),
        answers: from("viewer", { good: "with it", hidden: "without it" }),
      },
      folderId: {
        ask: async (world) => {
          const { id: folderId } = await folder(world);
          const { id, mark } = await agent(world);
          await world.as("owner", "PATCH", `/api/v1/agent/${id}`, { folderId });
          return { mark, query: { scope: "all", folderId } };
        },
        answers: from("viewer", { good: "with it", hidden: "without it" }),
      },
    },
  },
  multipleAgents: {
    access: "jwt",
    cases: {
      it: {
        ask: async (world) => {
          const { id, mark } = await agent(world);
          return { query: { ids: id }, mark };
        },
        answers: from("viewer", { good: "with it", hidden: "without it" }),
      },
    },
  },
  agentTree: {
    access: "jwt",
    cases: {
      it: {
        ask: async (world) => ({ mark: (await agent(world)).mark }),
        answers: ownerAlone("with it", "without it"),
      },
    },
    harmless: { "query.agents": "it says whether agents are listed" },
  },
  organizationAgents: {
    access: "jwt",
    cases: {
      it: {
        ask: async (world) => {
          const mark = world.word();
          await world.as("admin", "POST", "/api/v1/agent", {
            name: mark,
            type: "organization",
          });
          return { mark, query: { limit: "100" } };
        },
        answers: members("with it", "without it"),
      },
    },
  },
  agentTrash: {
    access: "jwt",
    cases: {
      it: {
        ask: async (world) => ({ mark: (await inTrash(world)).mark }),
        answers: ownerAlone("with it", "without it"),
      },
    },
  },
  deleteAgents: {
    access: "jwt",
    cases: {
      it: {
        ask: async (world) => ({ body: { ids: [(await agent(world)).id] }, mark: DONE }),
        answers: from("owner", {
          good: "with it",
          weak: "without it",
          hidden: "without it",
        }),
        once: true,
      },
    },
  },
  putAgents: {
    access: "jwt",
    cases: {
      it: {
        ask: async (world) => ({
          body: { items: [{ id: (await agent(world)).id, name: "x" }] },
          mark: DONE,
        }),
        answers: from("editor", {
          good: "with it",
          weak: "without it",
          hidden: "without it",
        }),
      },
      "a document in one": {
        ask: async (world) => {
          const [{ id }, files] = [await agent(world), await named.files(world)];
          return { body: { items: [{ id, name: "x", ...files }] }, mark: DONE };
        },
        answers: from("editor", {
          good: "with it",
          weak: "without it",
          hidden: "without it",
        }),
      },
    },
  },
  patchAgents: {
    access: "jwt",
    cases: {
      it: {
        ask: async (world) => ({
          body: { items: [{ id: (await agent(world)).id, name: "x" }] },
          mark: DONE,
        }),
        answers: from("editor", {
          good: "with it",
          weak: "without it",
          hidden: "without it",
        }),
      },
    },
  },
  listFolders: {
    access: "jwt",
    cases: {
      it: {
        ask: async (world) => ({ mark: (await folder(world)).mark }),
        answers: ownerAlone("with it", "without it"),
      },
    },
  },
  createFolder: {
    access: "jwt",
    cases: {
      parentId: {
        ask: async (world) => ({
          body: { name: "mine", parentId: (await folder(world)).id },
        }),
        answers: ownerAlone(),
      },
    },
  },
  changeFolder: {
    access: "jwt",
    cases: {
      it: {
        ask: async (world) => ({ ...(await oneFolder(world)), body: { name: "renamed" } }),
        answers: ownerAlone(),
      },
      parentId: {
        ask: async (world) => ({
          ...(await oneFolder(world)),
          body: { parentId: (await folder(world)).id },
        }),
        answers: ownerAlone(),
      },
    },
  },
  deleteFolder: {
    access: "jwt",
    cases: { it: { ask: oneFolder, answers: ownerAlone(), once: true } },
  },
  getAgent: {
    access: "jwt",
    cases: { it: { ask: one, answers: from("viewer", { good: "with it" }) } },
  },
  agentFiles: { access: "jwt", cases: { it: { ask: one, answers: from("viewer") } } },
  putAgent: { access: "jwt", cases: changes({}), harmless: FLOW },
  patchAgent: { access: "jwt", cases: changes({}), harmless: FLOW },
  deleteAgent: {
    access: "jwt",
    cases: { it: { ask: one, answers: from("owner"), once: true } },
  },
  restoreAgent: {
    access: "jwt",
    cases: { it: { ask: inTrash, answers: ownerAlone(), once: true } },
  },
};
