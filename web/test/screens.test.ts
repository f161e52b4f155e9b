import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadContracts } from "../../src/server/load-contracts.ts";

const WEB = join(import.meta.dirname, "../src");
/** Who calls a route by themselves. The other ways in are those of services. */
const PEOPLE = ["public", "jwt", "session", "admin", "operator", "key"];

/** Routes for people that have no screen, each with the reason. */
const WITHOUT_SCREEN: Record<string, string> = {
  "users.login": "for programs; the app does the same with a cookie session",
  "users.refresh": "for programs; the app does the same with a cookie session",
  "users.exchange": "for programs; the app does the same with a cookie session",
  "users.confirm": "for programs; the app signs in again",
  "users.mcpResource": "for MCP clients",
  "users.mcpResourceAtRoot": "for MCP clients",
  "users.mcpServerResource": "for MCP clients",
  "users.mcpAuthorizationServer": "for MCP clients",
  "users.registerMcpClient": "for MCP clients",
  "users.mcpToken": "for MCP clients",
  "users.revokeMcpToken": "for MCP clients",
  "users.jwks": "for services that check tokens",
  "users.startSignIn": "an address that the browser is sent to",
  "core.agentCard": "for agents of other systems",
  "core.agentRpc": "for agents of other systems",
  "users.endProviderSession": "for identity providers",
  "users.finishSignIn": "an address that the browser is sent to",
  "users.logo": "its address comes with GET /app",
  "users.getLock": "GET /canvas/:id/state says who holds the lock",
  "users.rolesOfUser": "the page of a user explains each permission",
  "users.rolePermissions": "the page of a user explains each permission",
  "users.listPins": "conversations are pinned and tagged by PATCH /conversation/:id",
  "users.addPin": "conversations are pinned and tagged by PATCH /conversation/:id",
  "users.removePin": "conversations are pinned and tagged by PATCH /conversation/:id",
  "users.listTags": "conversations are pinned and tagged by PATCH /conversation/:id",
  "users.listTagged": "conversations are pinned and tagged by PATCH /conversation/:id",
  "users.getTags": "conversations are pinned and tagged by PATCH /conversation/:id",
  "users.setTags": "conversations are pinned and tagged by PATCH /conversation/:id",
  "core.putAgents": "for programs; the editor changes an agent by PATCH",
  "core.putAgent": "for programs; the editor changes an agent by PATCH",
  "core.deleteAgent": "lists delete several at once",
  "core.listFolders": "GET /agent/tree has the folders",
  "core.getVersion": "for programs; the app lists versions and compares them",
  "core.availableModelsByIds": "for services and programs that know the ids",
  "core.chatCompletions": "the OpenAI API is for its clients",
  "core.generateImages": "for programs; models make images in conversations",
  "core.openAiImages": "the OpenAI API is for its clients",
  "core.openAiImageEdits": "the OpenAI API is for its clients",
  "core.openAiSpeech": "the OpenAI API is for its clients",
  "core.openAiTranscription": "the OpenAI API is for its clients",
  "core.openAiTranslation": "the OpenAI API is for its clients",
  "core.textCompletions": "the OpenAI API is for its clients",
  "core.openAiModeration": "the OpenAI API is for its clients",
  "core.openAiModels": "the OpenAI API is for its clients",
  "core.openAiModel": "the OpenAI API is for its clients",
  "core.createResponse": "the OpenAI API is for its clients",
  "core.readResponse": "the OpenAI API is for its clients",
  "core.createOpenAiConversation": "the OpenAI API is for its clients",
  "core.readOpenAiConversation": "the OpenAI API is for its clients",
  "core.deleteOpenAiConversation": "the OpenAI API is for its clients",
  "core.listOpenAiConversationItems": "the OpenAI API is for its clients",
  "core.cancelResponse": "the OpenAI API is for its clients",
  "core.deleteResponse": "the OpenAI API is for its clients",
  "core.listInputItems": "the OpenAI API is for its clients",
  "core.anthropicMessage": "the Anthropic API is for its clients",
  "core.anthropicTokens": "the Anthropic API is for its clients",
  "core.listProviders": "the page of models lists all providers, also disabled ones",
  "core.listModels": "the page of a provider lists its models, each with its price",
  "core.listAllModels": "the page of a provider lists its models, each with its price",
  "core.listCompletionModels":
    "the page of a provider lists its models, each with its price",
  "core.listEmbeddingModels":
    "the page of a provider lists its models, each with its price",
  "core.listAvailableModels":
    "the page of a provider lists its models, each with its price",
  "core.embeddingSelections":
    "the page of a provider lists its models, each with its price",
  "core.availableModelsOfProvider":
    "the page of a provider lists its models, each with its price",
  "core.availableModelsOfModel":
    "the page of a provider lists its models, each with its price",
  "core.deleteModel": "removing an available model is enough",
  "core.providerConfigSchema": "GET /model-providers/kinds has the schemas",
  "core.validateAvailableModels": "for programs that set up many models",
  "agent.run": "for programs; the app talks to agents in conversations",
  "tool-gateway.mcpPost": "for MCP clients",
  "tool-gateway.mcpServerPost": "for MCP clients",
  "tool-gateway.clientMetadata": "for the sign-ins of tool servers",
  "tool-gateway.earlierClientMetadata": "for the sign-ins of tool servers",
  "automations.hook": "for the webhook's sender",
  "automations.list": "the list of rules searches",
  "automations.match": "a rule is held against media by POST /api/automations/preview",
  "documents.retryFailed":
    "for programs; the page processes them one by one, to be stopped",
  "documents.events": "GET /events says when a document changed",
  "parser.parse": "for programs; people upload documents",
  "parser.parseAsync": "for programs; people upload documents",
  "parser.parseStatus": "for programs; people upload documents",
  "parser.parseCancel": "for programs; people upload documents",
  "parser.parseMarkdown": "for programs; people upload documents",
  "parser.processDocument": "for programs; people upload documents",
  "parser.processDocumentPlain": "for programs; people upload documents",
  "parser.probeHealthz": "for probes of an orchestrator",
  "parser.probeLiveness": "for probes of an orchestrator",
  "parser.probeReadiness": "for probes of an orchestrator",
  "parser.probeReadyz": "for probes of an orchestrator",
  "parser.probeDetailed": "for probes of an orchestrator",
  "server.healthPlain": "for probes of an orchestrator",
  "server.liveness": "for probes of an orchestrator",
  "server.readiness": "for probes of an orchestrator",
  "server.metrics": "for probes of an orchestrator",
  "pdf-backend.parsePdf": "a backend of the parser",
  "embedding.chunk": "for programs that build on single steps",
  "embedding.chunkMethods": "for programs that build on single steps",
  "embedding.embedSingle": "for programs that build on single steps",
  "embedding.embed": "for programs that build on single steps",
  "embedding.openAiEmbeddings": "the OpenAI API is for its clients",
  "documents.uploadFile": "the OpenAI API is for its clients",
  "documents.listFiles": "the OpenAI API is for its clients",
  "documents.readFile": "the OpenAI API is for its clients",
  "documents.readFileContent": "the OpenAI API is for its clients",
  "documents.deleteFile": "the OpenAI API is for its clients",
  "documents.createStore": "the OpenAI API is for its clients",
  "documents.listStores": "the OpenAI API is for its clients",
  "documents.readStore": "the OpenAI API is for its clients",
  "documents.changeStore": "the OpenAI API is for its clients",
  "documents.deleteStore": "the OpenAI API is for its clients",
  "documents.attachFile": "the OpenAI API is for its clients",
  "documents.listStoreFiles": "the OpenAI API is for its clients",
  "documents.readStoreFile": "the OpenAI API is for its clients",
  "documents.changeStoreFile": "the OpenAI API is for its clients",
  "documents.detachFile": "the OpenAI API is for its clients",
  "documents.createBatch": "the OpenAI API is for its clients",
  "documents.readBatch": "the OpenAI API is for its clients",
  "documents.cancelBatch": "the OpenAI API is for its clients",
  "documents.listBatchFiles": "the OpenAI API is for its clients",
  "retrieval.searchStore": "the OpenAI API is for its clients",
  "embedding.process": "for programs that build on single steps",
  "embedding.translate": "for programs that build on single steps",
  "embedding.translateBatch": "for programs that build on single steps",
  "retrieval.similaritySearch": "for programs that build on single steps",
  "embedding.embedStatus": "the page of a document shows its state",
  "server.openApi": "GET /docs shows it",
  "integrations.providerHealth": "GET /health has it",
  "integrations.allHealth": "GET /health has it",
  "embedding.translationHealth": "GET /health has it",
  "integrations.ensureTokens": "the provider's account is made when a flow is first run",
  "integrations.refreshTokens": "the provider's account is made when a flow is first run",
  "integrations.listProviders": "there is one provider",
  "integrations.createFlow": "flows are drawn in Langflow",
};

test("every route for people has a screen, or a reason why it has none", async () => {
  const calls = await findCalls();
  const routes = await listRoutes();
  const missing = routes.filter((route) => !calls.has(route) && !(route in WITHOUT_SCREEN));
  expect(missing).toEqual([]);
});

test("nothing is excused that has a screen, or that is gone", async () => {
  const calls = await findCalls();
  const routes = await listRoutes();
  const idle = Object.keys(WITHOUT_SCREEN).filter(
    (route) => calls.has(route) || !routes.includes(route),
  );
  expect(idle).toEqual([]);
});

/** `service.route` of each route that people may call. */
async function listRoutes(): Promise<string[]> {
  return (await loadContracts()).flatMap(({ name, contract }) =>
    Object.entries(contract)
      .filter(([, { access, hidden }]) => !hidden && [access].flat().some(isForPeople))
      .map(([route]) => `${name}.${route}`),
  );
}

function isForPeople(access: unknown): boolean {
  return PEOPLE.some((way) => way === access);
}

const IMPORTED =
  /import \{([^}]*)\} from "[^"]*src\/(?:services\/([a-z-]+)|(server))\/[^"]*"/g;

/** `service.route` of each route that a file names of a contract that it imports. */
async function findCalls(): Promise<ReadonlySet<string>> {
  const calls = new Set<string>();
  for (const file of globSync(`${WEB}/**/*.{ts,tsx}`)) {
    const text = readFileSync(file, "utf8");
    const serviceOf = new Map<string, string>();
    for (const [, names = "", service, server] of text.matchAll(IMPORTED))
      for (const [name] of names.matchAll(/\w*[cC]ontract\b/g))
        serviceOf.set(name, service ?? server ?? "");
    for (const [, contract = "", route] of text.matchAll(/\b(\w*[cC]ontract)\.(\w+)/g))
      if (serviceOf.has(contract)) calls.add(`${serviceOf.get(contract)}.${route}`);
  }
  return calls;
}
