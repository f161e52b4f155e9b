import { operators, alike, services, type Case, type Rows } from "../row.ts";
import type { World } from "../world.ts";

/** Everyone chooses from models and providers; operators change them. */

const model = async (world: World) => {
  const id = world.word();
  await world.as("admin", "POST", "/api/v1/models", { id, name: id, kind: "completion" });
  return id;
};
const provider = async (world: World) => {
  const name = world.word();
  const config = { baseUrl: "http://127.0.0.1:9/v1", apiKey: SECRET };
  await world.as("admin", "POST", "/api/v1/model-providers", {
    name,
    kind: "openai-compatible",
    config,
  });
  return name;
};
const entry = async (world: World) => {
  const [modelId, providerName] = [await model(world), await provider(world)];
  const { id } = await world.as("admin", "POST", "/api/v1/available-models", {
    modelId,
    providerName,
    providerModelId: "m",
  });
  return { id, modelId, providerName };
};
/** A provider's key, which no answer may contain. */
const SECRET = "sk-of-a-provider-0123456789";

const list: { it: Case } = {
  it: {
    ask: () => ({ query: { limit: "100" }, mark: SECRET }),
    answers: alike("without it"),
  },
};
const harmless = {
  "params.id": "the catalogue is everybody's",
  "params.modelId": "the catalogue is everybody's",
  "params.providerId": "the catalogue is everybody's",
  "body.ids": "the catalogue is everybody's",
};
const administrator = (ask: Case["ask"], once?: true): { it: Case } => ({
  it: { ask, answers: operators(), ...(once && { once }) },
});
const everybody = (ask: Case["ask"]): { it: Case } => ({ it: { ask, answers: alike() } });
const oneModel = async (world: World) => ({ params: { id: await model(world) } });
const oneProvider = async (world: World) => ({ params: { name: await provider(world) } });
const oneEntry = async (world: World) => ({ params: { id: (await entry(world)).id } });
const server = async (world: World) => {
  const name = world.word();
  await world.as("admin", "POST", "/api/v1/mcp-servers", {
    name,
    url: "http://127.0.0.1:9/mcp",
    enabled: false,
  });
  return name;
};
const oneServer = async (world: World) => ({ params: { name: await server(world) } });
/** What peers read: users see no keys, and only administrators see addresses. */
const internal = (
  newAddress: (world: World) => Promise<string>,
): { it: Case; address: Case } => ({
  it: { ask: () => ({ mark: SECRET }), answers: alike("without it"), service: "yes" },
  address: {
    ask: async (world) => ({ mark: await newAddress(world) }),
    answers: { ...alike("without it"), admin: "with it" },
    service: "with it",
  },
});
const providerAddress = async (world: World) => {
  const baseUrl = `http://127.0.0.1:9/${world.word()}/v1`;
  const body = {
    name: world.word(),
    kind: "openai-compatible",
    config: { baseUrl, apiKey: SECRET },
  };
  await world.as("admin", "POST", "/api/v1/model-providers", body);
  return baseUrl;
};
const serverAddress = async (world: World) => {
  const url = `http://127.0.0.1:9/${world.word()}/mcp`;
  const headers = { "x-key": SECRET };
  await world.as("admin", "POST", "/api/v1/mcp-servers", {
    name: world.word(),
    url,
    headers,
    enabled: false,
  });
  return url;
};

export const catalogue: Rows = {
  modelsProviders: { access: "internal", cases: internal(providerAddress) },
  mcpServers: { access: "internal", cases: internal(serverAddress) },
  mcpServersBare: { access: "internal", cases: internal(serverAddress) },
  listToolServers: { access: "operator", cases: administrator(() => ({})) },
  readAllowedAddresses: {
    access: "service-secret",
    cases: { it: { ask: () => ({}), answers: services } },
  },
  listAllowedAddresses: { access: "operator", cases: administrator(() => ({})) },
  allowAddress: {
    access: "operator",
    cases: administrator((world) => ({
      body: { address: `${world.word()}.example:11434` },
    })),
  },
  revokeAddress: {
    access: "operator",
    cases: administrator(async (world) => {
      const address = `${world.word()}.example:11434`;
      await world.as("admin", "POST", "/api/v1/allowed-addresses", { address });
      return { params: { address } };
    }, true),
  },
  findLocalServers: { access: "operator", cases: administrator(() => ({})) },
  createToolServer: {
    access: "operator",
    cases: administrator(
      (world) => ({
        body: { name: world.word(), url: "http://127.0.0.1:9/mcp", enabled: false },
      }),
      true,
    ),
  },
  changeToolServer: {
    access: "operator",
    cases: administrator(async (world) => {
      const name = await server(world);
      return {
        params: { name },
        body: { name, url: "http://127.0.0.1:9/other", enabled: false },
      };
    }),
  },
  deleteToolServer: { access: "operator", cases: administrator(oneServer, true) },
  createModel: {
    access: "operator",
    cases: administrator(() => ({ body: { name: "m", kind: "completion" } })),
    harmless,
  },
  listModels: { access: "jwt", cases: list },
  listAllModels: { access: "jwt", cases: list },
  listCompletionModels: { access: "jwt", cases: list },
  listEmbeddingModels: { access: "jwt", cases: list },
  getModel: { access: "jwt", cases: everybody(oneModel), harmless },
  changeModel: {
    access: "operator",
    cases: administrator(async (world) => ({
      ...(await oneModel(world)),
      body: { name: "m" },
    })),
  },
  deleteModel: { access: "operator", cases: administrator(oneModel, true) },
  createProvider: {
    access: "operator",
    cases: administrator(
      (world) => ({
        body: {
          name: world.word(),
          kind: "openai-compatible",
          config: { baseUrl: "http://127.0.0.1:9/v1" },
        },
      }),
      true,
    ),
  },
  listProviders: { access: "jwt", cases: list },
  listAllProviders: { access: "jwt", cases: list },
  listProviderHealth: { access: "operator", cases: administrator(() => ({})) },
  listProviderKinds: { access: "jwt", cases: everybody(() => ({})) },
  getProvider: {
    access: "jwt",
    cases: {
      it: {
        ask: async (world) => ({ ...(await oneProvider(world)), mark: SECRET }),
        answers: alike("without it"),
      },
    },
  },
  providerConfigSchema: { access: "jwt", cases: everybody(oneProvider) },
  testNewProvider: {
    access: "operator",
    cases: administrator(async (world) => ({
      body: {
        kind: "openai-compatible",
        config: { baseUrl: "http://127.0.0.1:9/v1", apiKey: "•••" },
        name: await provider(world),
      },
      mark: SECRET,
    })),
  },
  testProvider: { access: "operator", cases: administrator(oneProvider) },
  changeProvider: {
    access: "operator",
    cases: administrator(async (world) => ({
      ...(await oneProvider(world)),
      body: { displayName: "P" },
    })),
  },
  deleteProvider: { access: "operator", cases: administrator(oneProvider, true) },
  createAvailableModel: {
    access: "operator",
    cases: administrator(async (world) => ({
      body: {
        modelId: await model(world),
        providerName: await provider(world),
        providerModelId: "m",
      },
    })),
    harmless: { "body.id": "one's own choice of a name" },
  },
  listAvailableModels: { access: "jwt", cases: list },
  listAllAvailableModels: { access: "jwt", cases: list },
  listSelections: { access: "jwt", cases: list },
  completionSelections: { access: "jwt", cases: list },
  usableKinds: { access: "jwt", cases: { it: { ask: () => ({}), answers: alike() } } },
  embeddingSelections: { access: "jwt", cases: list },
  validateAvailableModels: {
    access: "jwt",
    cases: everybody(async (world) => ({ body: { ids: [(await entry(world)).id] } })),
    harmless,
  },
  availableModelsByIds: {
    access: "jwt",
    cases: everybody(async (world) => ({ body: { ids: [(await entry(world)).id] } })),
    harmless,
  },
  availableModelsOfProvider: {
    access: "jwt",
    cases: everybody(async (world) => ({
      params: { providerId: (await entry(world)).providerName },
    })),
    harmless,
  },
  availableModelsOfModel: {
    access: "jwt",
    cases: everybody(async (world) => ({
      params: { modelId: (await entry(world)).modelId },
    })),
    harmless,
  },
  getAvailableModel: { access: "jwt", cases: everybody(oneEntry), harmless },
  changeAvailableModel: {
    access: "operator",
    cases: administrator(async (world) => ({
      ...(await oneEntry(world)),
      body: { displayName: "E" },
    })),
    harmless,
  },
  deleteAvailableModel: { access: "operator", cases: administrator(oneEntry, true) },
};
