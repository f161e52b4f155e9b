import type { Rows } from "../row.ts";
import { agent } from "./agent.ts";
import { automationRuns } from "./automation-runs.ts";
import { automationSources } from "./automation-sources.ts";
import { automations } from "./automations.ts";
import { completion } from "./completion.ts";
import { agentVersions } from "./core-agent-versions.ts";
import { agents } from "./core-agents.ts";
import { canvas } from "./core-canvas.ts";
import { catalogue } from "./core-catalogue.ts";
import { conversations } from "./core-conversations.ts";
import { personal as corePersonal } from "./core-personal.ts";
import { replies } from "./core-replies.ts";
import { tables } from "./core-tables.ts";
import { documents } from "./documents.ts";
import { searchEngines } from "./core-search-engines.ts";
import { server } from "./server.ts";
import { integrations } from "./integrations.ts";
import { parser, pdfBackend } from "./parser.ts";
import { embedding, retrieval } from "./retrieval.ts";
import { toolGateway } from "./tool-gateway.ts";
import { accounts } from "./users-accounts.ts";
import { groups } from "./users-groups.ts";
import { labels } from "./users-labels.ts";
import { personal } from "./users-personal.ts";
import { roles } from "./users-roles.ts";
import { mcpClients } from "./users-mcp-clients.ts";
import { scim } from "./users-scim.ts";
import { sessions } from "./users-sessions.ts";
import { sharing } from "./users-sharing.ts";
import { sandbox } from "./sandbox.ts";
import { web } from "./web.ts";

/** By the service's name, then by the route's name in its contract. */
export const ROWS: Record<string, Rows> = {
  users: {
    ...sessions,
    ...accounts,
    ...roles,
    ...sharing,
    ...labels,
    ...groups,
    ...personal,
    ...scim,
    ...mcpClients,
  },
  core: {
    ...conversations,
    ...replies,
    ...agents,
    ...agentVersions,
    ...canvas,
    ...corePersonal,
    ...catalogue,
    ...searchEngines,
    ...tables,
  },
  agent,
  "tool-gateway": toolGateway,
  completion,
  automations: { ...automations, ...automationRuns, ...automationSources },
  documents,
  integrations,
  parser,
  "pdf-backend": pdfBackend,
  embedding,
  retrieval,
  sandbox,
  web,
  server,
};
