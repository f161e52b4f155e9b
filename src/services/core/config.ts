import type { z } from "zod";
import { bytes, days, duration, jsonOf, maximum } from "../../platform/config/schemas.ts";
import { providerEnvironment } from "../completion/contract-environment.ts";
import { ToolServers } from "../tool-gateway/contract.ts";
import { MAX_AGENTS, MAX_FOLDERS } from "./agents/manage-folders.ts";

export const coreConfig = providerEnvironment.extend({
  MCP_SERVERS: jsonOf(ToolServers)
    .default([])
    .describe(
      "Tool servers to register at first start, as a JSON array [{name, url, headers?}]",
    ),
  TRASH_RETENTION: days(30).describe(
    "How long deleted conversations and agents can be restored, in days",
  ),
  MODEL_LIST_REFRESH: duration()
    .default(300_000)
    .describe(
      "How often providers that list their models themselves are asked again, in ms",
    ),
  AGENTS_PER_USER: maximum(MAX_AGENTS, MAX_AGENTS).describe(
    "Agents that one user may have",
  ),
  AGENT_FOLDERS_PER_USER: maximum(MAX_FOLDERS, MAX_FOLDERS).describe(
    "Folders of agents that one user may have",
  ),
  CONVERSATIONS_PER_USER: maximum(100_000).describe("Conversations that one user may have"),
  MESSAGES_PER_CONVERSATION: maximum(10_000).describe(
    "Messages and replies that one conversation may have",
  ),
  MESSAGES_QUOTA_BYTES: bytes()
    .default(5 * 1024 ** 3)
    .describe(
      "Bytes of all messages in the conversations that one user may have, with the trash",
    ),
  VERSIONS_PER_RESOURCE: maximum(10_000).describe(
    "Versions that one agent or canvas may have",
  ),
  VERSIONS_QUOTA_BYTES: bytes()
    .default(1024 ** 3)
    .describe(
      "Bytes of all versions of the canvases and agents that one user may have, with the trash",
    ),
  CODE_FILES_QUOTA_BYTES: bytes()
    .default(2 * 1024 ** 3)
    .describe(
      "Bytes of all files that code wrote in the conversations that one user has, with the trash",
    ),
  CANVASES_PER_USER: maximum(10_000).describe("Canvases that one user may have"),
  CONVERSIONS_PER_USER: maximum(10_000).describe("Conversions that one user may keep"),
  TEMPLATES_PER_USER: maximum(1_000).describe("Personal templates that one user may have"),
  TAGS_PER_USER: maximum(1_000).describe("Tags of conversations that one user may have"),
  RESEARCH_SEARCHES: maximum(30, 1_000).describe("Searches of the web in one research"),
  RESEARCH_PAGES: maximum(60, 400).describe("Pages that one research reads"),
  RESEARCH_TOKENS: maximum(1_000_000, 1_000_000_000).describe(
    "Tokens of the model that one research uses",
  ),
  RESEARCH_MINUTES: maximum(20, 600).describe(
    "Minutes that one research takes, before it writes its report",
  ),
  CORE_REPLY_TIMEOUT: duration()
    .default(120_000)
    .describe("How long the agent or completion service may be silent, in ms"),
});

export type CoreConfig = z.output<typeof coreConfig>;
