import { z } from "zod";
import { pageOf, pageQuery } from "../../platform/http/page.ts";
import { route } from "../../platform/http/route.ts";
import { ModelsProviders } from "../completion/contract-catalogue.ts";
import { GivenToolServer, OAuthSettings, ToolServer } from "../tool-gateway/contract.ts";
import { PERSONAL_DATA } from "../users/contract-user-deletion.ts";
import { agentsContract } from "./agents/contract.ts";
import { a2aContract } from "./a2a/contract.ts";
import { anthropicContract } from "./anthropic-api/contract.ts";
import { responsesContract } from "./openai-api/responses/contract.ts";
import { openAiConversationsContract } from "./openai-api/conversations/contract.ts";
import { openAiContract } from "./openai-api/contract.ts";
import { textContract } from "./openai-api/completions/contract.ts";
import { openAiMediaContract } from "./openai-api/media/contract.ts";
import { usageContract } from "./usage/contract.ts";
import { canvasContract } from "./canvas/contract.ts";
import { addressesContract } from "./catalogue/contract-addresses.ts";
import {
  availableModelsContract,
  modelsContract,
  providersContract,
} from "./catalogue/contract.ts";
import { admissionContract } from "./contract-admission.ts";
import { agentRepliesContract } from "./contract-agent-replies.ts";
import { imagesContract } from "./images/contract.ts";
import { feedbackContract } from "./feedback/contract.ts";
import { conversionsContract } from "./conversions/contract.ts";
import { templatesContract } from "./templates/contract.ts";
import { codeContract } from "./code/contract.ts";
import { searchEnginesContract, storedEnginesContract } from "./search-engines/contract.ts";
import { tablesContract } from "./tables/contract.ts";
import { conversationsContract } from "./conversations/contract.ts";
import { approvalsContract } from "./approvals/contract.ts";
import { repliesContract } from "./replies/contract.ts";
import { pagesContract } from "./web/contract.ts";
import { toolSessionsContract, toolsetsContract } from "./tools/contract.ts";

const summaryOfServers =
  "Tool servers, for the tool gateway; values of headers only for callers with the service secret, no servers for users who do not administer";
const header = z.union([z.string(), z.object({ configured: z.literal(true) })]);
const ConfiguredServer = z.looseObject({
  ...ToolServer.shape,
  headers: z
    .record(z.string(), header)
    .optional()
    .describe("`{configured: true}` in place of values for callers without the secret")
    .meta({ secret: true }),
  oauth: z
    .object({ ...OAuthSettings.shape, clientSecret: header.optional() })
    .optional()
    .meta({ secret: true }),
});
export type ConfiguredServer = z.output<typeof ConfiguredServer>;

/**
 * The configuration that other services read. Two spellings of the path exist, for compatibility.
 */
export const coreServicesConfig = {
  modelsProviders: route({
    method: "get",
    path: "/api/v1/services-config/models-providers",
    access: "internal",
    permission: "model:read",
    summary:
      "Models and providers, for the completion service; secrets only for callers with the service secret, no config for users who do not administer",
    ok: ModelsProviders,
  }),
  mcpServers: route({
    method: "get",
    path: "/api/v1/services-config/mcp-servers",
    access: "internal",
    permission: "tool:read",
    summary: summaryOfServers,
    ok: z.array(ConfiguredServer),
  }),
  mcpServersBare: route({
    method: "get",
    path: "/services-config/mcp-servers",
    access: "internal",
    permission: "tool:read",
    summary: summaryOfServers,
    ok: z.array(ConfiguredServer),
  }),
};

const byName = z.object({ name: z.string().max(64) });
const ShownServer = ToolServer.safeExtend({
  headers: z.record(z.string(), z.literal("•••")).optional(),
  oauth: OAuthSettings.extend({ clientSecret: z.literal("•••").optional() }).optional(),
});

const catalogueContract = {
  listToolServers: route({
    method: "get",
    path: "/api/v1/mcp-servers",
    access: "operator",
    permission: "tool:administer",
    summary: "List the registered tool servers",
    query: pageQuery,
    ok: pageOf(ShownServer),
  }),
  createToolServer: route({
    method: "post",
    path: "/api/v1/mcp-servers",
    access: "operator",
    permission: "tool:administer",
    changes: "tool-server",
    summary: "Register a tool server",
    body: GivenToolServer,
    status: 201,
    ok: ShownServer,
  }),
  changeToolServer: route({
    method: "put",
    path: "/api/v1/mcp-servers/:name",
    access: "operator",
    permission: "tool:administer",
    changes: "tool-server/:name",
    summary: "Change a tool server",
    params: byName,
    body: GivenToolServer,
    ok: ShownServer,
  }),
  deleteToolServer: route({
    method: "delete",
    path: "/api/v1/mcp-servers/:name",
    access: "operator",
    permission: "tool:administer",
    changes: "tool-server/:name",
    summary: "Remove a tool server",
    params: byName,
  }),
};

export const coreContract = {
  personalData: PERSONAL_DATA.core,
  ...agentRepliesContract,
  ...admissionContract,
  ...codeContract,
  ...imagesContract,
  ...tablesContract,
  ...pagesContract,
  ...conversationsContract,
  ...feedbackContract,
  ...repliesContract,
  ...approvalsContract,
  ...toolSessionsContract,
  ...toolsetsContract,
  ...agentsContract,
  ...canvasContract,
  ...templatesContract,
  ...conversionsContract,
  ...openAiContract,
  ...textContract,
  ...openAiMediaContract,
  ...responsesContract,
  ...openAiConversationsContract,
  ...anthropicContract,
  ...a2aContract,
  ...coreServicesConfig,
  ...catalogueContract,
  ...modelsContract,
  ...providersContract,
  ...availableModelsContract,
  ...addressesContract,
  ...searchEnginesContract,
  ...storedEnginesContract,
  ...usageContract,
};
