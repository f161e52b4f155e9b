import { alike, operators, type Rows, services } from "../row.ts";

const access = ["mcp-secret", "operator"] as const;
const client = ["mcp-secret", "key", "mcp-token"] as const;
const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "t", version: "1" },
  },
};

export const toolGateway: Rows = {
  personalData: {
    access: "service-secret",
    cases: {
      it: {
        ask: (world) => ({ params: { userId: world.people.owner.id } }),
        answers: services,
      },
    },
  },
  listConnections: { access: "jwt", cases: { it: { ask: () => ({}), answers: alike() } } },
  connect: {
    access: "session",
    cases: { it: { ask: () => ({ params: { server: "none" } }), answers: alike(404) } },
  },
  connectForAll: {
    access: "operator",
    cases: { it: { ask: () => ({ params: { server: "none" } }), answers: operators(404) } },
  },
  completeConnection: {
    access: "session",
    cases: { it: { ask: () => ({ body: { state: "none" } }), answers: alike(404) } },
  },
  fillValues: {
    access: "session",
    cases: {
      it: {
        ask: () => ({ params: { server: "none" }, body: { values: { key: "k" } } }),
        answers: alike(404),
      },
    },
  },
  fillValuesForAll: {
    access: "operator",
    cases: {
      it: {
        ask: () => ({ params: { server: "none" }, body: { values: { key: "k" } } }),
        answers: operators(404),
      },
    },
  },
  disconnect: {
    access: "session",
    cases: { it: { ask: () => ({ params: { server: "none" } }), answers: alike() } },
  },
  clientMetadata: {
    access: "public",
    cases: {
      it: { ask: () => ({ params: { issuer: "0".repeat(32) } }), answers: alike() },
    },
  },
  earlierClientMetadata: {
    access: "public",
    cases: { it: { ask: () => ({}), answers: alike() } },
  },
  listTools: {
    access: "mcp-secret",
    cases: { it: { ask: () => ({}), answers: services } },
  },
  callTool: {
    access: "mcp-secret",
    cases: {
      it: {
        ask: () => ({ body: { name: "no_such_tool", arguments: {} } }),
        answers: services,
        service: 404,
      },
    },
  },
  listOfferedTools: { access: "jwt", cases: { it: { ask: () => ({}), answers: alike() } } },
  readView: {
    access: "jwt",
    cases: {
      it: {
        ask: () => ({ body: { server: "none", uri: "ui://none/view.html" } }),
        answers: alike(404),
      },
    },
  },
  readViewResource: {
    access: "jwt",
    cases: {
      it: { ask: () => ({ body: { server: "none", uri: "a://b" } }), answers: alike(404) },
    },
  },
  listViewResources: {
    access: "jwt",
    cases: { it: { ask: () => ({ body: { server: "none" } }), answers: alike(404) } },
  },
  callFromView: {
    access: "jwt",
    cases: {
      it: { ask: () => ({ body: { server: "none", tool: "none" } }), answers: alike(404) },
    },
  },
  listServers: { access, cases: { it: { ask: () => ({}), answers: operators() } } },
  listWithheld: { access, cases: { it: { ask: () => ({}), answers: operators() } } },
  listClassified: { access, cases: { it: { ask: () => ({}), answers: operators() } } },
  classifyTool: {
    access,
    cases: {
      it: {
        ask: () => ({
          params: { server: "none", tool: "none" },
          body: { effect: "read_only" },
        }),
        answers: operators(404),
        service: 404,
      },
    },
  },
  approveTool: {
    access,
    cases: {
      it: {
        ask: () => ({ body: { server: "none", name: "none" } }),
        answers: operators(404),
        service: 404,
      },
    },
  },
  testServer: {
    access,
    cases: {
      it: {
        ask: () => ({ body: { url: "http://127.0.0.1:9/mcp" } }),
        answers: operators(),
      },
    },
  },
  refresh: { access, cases: { it: { ask: () => ({}), answers: operators() } } },
  // access tokens are for this API, not for MCP clients
  mcpPost: {
    access: client,
    cases: {
      it: {
        ask: () => ({
          body: initialize,
          headers: { accept: "application/json, text/event-stream" },
        }),
        answers: services,
        key: "yes",
      },
    },
  },
  mcpGet: {
    access: client,
    cases: { it: { ask: () => ({}), answers: services, service: 405, key: 405 } },
  },
  mcpDelete: {
    access: client,
    cases: { it: { ask: () => ({}), answers: services, service: 405, key: 405 } },
  },
  mcpServerPost: {
    access: client,
    cases: {
      it: {
        ask: () => ({
          params: { server: "none" },
          body: initialize,
          headers: { accept: "application/json, text/event-stream" },
        }),
        answers: services,
        service: 404,
        key: 404,
      },
    },
  },
  mcpServerGet: {
    access: client,
    cases: {
      it: {
        ask: () => ({ params: { server: "none" } }),
        answers: services,
        service: 404,
        key: 404,
      },
    },
  },
  mcpServerDelete: {
    access: client,
    cases: {
      it: {
        ask: () => ({ params: { server: "none" } }),
        answers: services,
        service: 405,
        key: 405,
      },
    },
  },
};
