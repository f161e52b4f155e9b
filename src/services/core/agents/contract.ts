import { z } from "zod";
import { int4Text } from "../../../platform/http/bounds.ts";
import { pageOf, pageQuery } from "../../../platform/http/page.ts";
import { route } from "../../../platform/http/route.ts";
import { AccessRole } from "../../users/contract-sharing.ts";
import { resolveAgents } from "../contract-agents.ts";
import { lockFailures, lockHeader } from "../contract-locked.ts";
import { TextChange } from "../contract-text-change.ts";
import { agentsBulkContract, Ids } from "./contract-bulk.ts";
import {
  AgentChange,
  AgentDefinition,
  AgentType,
  ListedDefinition,
  NewAgent,
  Placed,
  WholeAgent,
} from "./contract-definition.ts";
import { foldersContract } from "./contract-folders.ts";

/** Agents that users create. See docs/custom-agents.md. */

export const Agent = AgentDefinition.extend({
  ...Placed,
  id: z.uuid(),
  ownerId: z.string(),
  version: z.number().int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  deletedAt: z.iso.datetime().optional(),
});
export type Agent = z.output<typeof Agent>;
const forCaller = {
  role: AccessRole.describe("What the caller may do: viewers use it, editors change it"),
  ownerName: z.string().nullable().describe("Name of the owner; null if there is none"),
};
export const VisibleAgent = Agent.extend(forCaller);
export type VisibleAgent = z.output<typeof VisibleAgent>;

const { instructions, tools, retrieval } = ListedDefinition.shape;
const files = z.array(z.uuid()).optional().describe("Left out with the instructions");
/** An agent in a list. */
const ListedAgent = Agent.extend({ instructions, tools, retrieval, files });
export type ListedAgent = z.output<typeof ListedAgent>;
const VisibleListedAgent = ListedAgent.extend(forCaller);
export type VisibleListedAgent = z.output<typeof VisibleListedAgent>;
const LONG_PAGES =
  "A page of agents of more than 4,000,000 characters has no `instructions`, `tools`, " +
  "`retrieval` and `files`: read each agent for them.";
export const AgentScope = z.enum(["own", "shared", "organization", "all"]);
export type AgentScope = z.output<typeof AgentScope>;

const Version = z.object({
  version: z.number().int(),
  changedBy: z.string(),
  createdAt: z.iso.datetime(),
  definition: AgentDefinition,
  files: z.array(z.uuid()),
});
export type Version = z.output<typeof Version>;
const ListedVersion = Version.extend({ definition: ListedDefinition, files });
export type ListedVersion = z.output<typeof ListedVersion>;

const TreeFolder = z.object({
  id: z.uuid(),
  name: z.string(),
  parentId: z.uuid().nullable(),
  agents: z.array(Agent),
  get children() {
    return z.array(TreeFolder);
  },
});
export type TreeFolder = z.output<typeof TreeFolder>;

const base = "/api/v1/agent";
const byId = z.object({ id: z.uuid() });
const byVersion = z.object({ id: z.uuid(), version: int4Text(1) });

const hidden = "null if it was deleted or is not shared with you";
const AgentFile = z.object({
  id: z.uuid(),
  fileName: z.string().nullable().describe(hidden),
  mimeType: z.string().nullable().describe(hidden),
  size: z.number().nullable().describe(hidden),
});

export const agentsContract = {
  resolveAgents,
  createAgent: route({
    method: "post",
    path: base,
    access: "jwt",
    permission: "agent:create",
    changes: "agent",
    summary: "Create an agent",
    body: NewAgent,
    status: 201,
    ok: Agent,
  }),
  listAgents: route({
    method: "get",
    path: base,
    access: "jwt",
    permission: "agent:read",
    summary: "List agents that the caller may use, last changed first",
    description: LONG_PAGES,
    query: pageQuery.extend({
      query: z.string().max(200).optional().describe("Part of the name"),
      type: AgentType.optional(),
      scope: AgentScope.default("own").describe(
        "`shared`: by others with the caller; `organization`: of the organisation and built in",
      ),
      folderId: z
        .union([z.uuid(), z.literal("none")])
        .optional()
        .describe("In this folder of the caller; `none`: in no folder"),
    }),
    ok: pageOf(VisibleListedAgent),
  }),
  multipleAgents: route({
    method: "get",
    path: `${base}/multiple`,
    access: "jwt",
    permission: "agent:read",
    summary: "Read several agents; unknown and invisible ones are left out",
    description: LONG_PAGES,
    query: z.object({
      ids: z
        .string()
        .max(10_000)
        .transform((ids) => [...new Set(ids.split(",").map((id) => id.trim()))])
        .pipe(Ids)
        .describe("Comma-separated"),
    }),
    ok: z.array(VisibleListedAgent),
  }),
  agentTree: route({
    method: "get",
    path: `${base}/tree`,
    access: "jwt",
    permission: "agent:read",
    summary: "Read the caller's folders and agents as a tree",
    failures: { 413: "`agents_too_large`: the agents are too long for one answer." },
    query: z.object({
      agents: z.enum(["all", "none"]).default("all").describe("`none`: the folders alone"),
    }),
    ok: z.object({ folders: z.array(TreeFolder), agents: z.array(Agent) }),
  }),
  organizationAgents: route({
    method: "get",
    path: `${base}/organization`,
    access: "jwt",
    permission: "agent:read",
    summary: "List agents of the organisation and built-in agents",
    description: LONG_PAGES,
    query: pageQuery,
    ok: pageOf(VisibleListedAgent),
  }),
  agentTrash: route({
    method: "get",
    path: `${base}/trash`,
    access: "jwt",
    permission: "agent:read",
    summary: "List the caller's deleted agents, which can still be restored",
    description: LONG_PAGES,
    query: pageQuery,
    ok: pageOf(ListedAgent),
  }),
  ...agentsBulkContract,
  ...foldersContract,
  getAgent: route({
    method: "get",
    path: `${base}/:id`,
    access: "jwt",
    permission: "agent:read",
    summary: "Read an agent",
    params: byId,
    ok: VisibleAgent,
  }),
  agentFiles: route({
    method: "get",
    path: `${base}/:id/files`,
    access: "jwt",
    permission: "agent:read",
    summary: "List the files of an agent",
    params: byId,
    query: pageQuery,
    ok: pageOf(AgentFile),
  }),
  putAgent: route({
    method: "put",
    path: `${base}/:id`,
    access: "jwt",
    permission: "agent:update",
    changes: "agent/:id",
    summary: "Replace an agent; absent fields return to their defaults",
    failures: lockFailures,
    headers: lockHeader,
    params: byId,
    body: WholeAgent,
    ok: Agent,
  }),
  patchAgent: route({
    method: "patch",
    path: `${base}/:id`,
    access: "jwt",
    permission: "agent:update",
    changes: "agent/:id",
    summary: "Change an agent",
    failures: lockFailures,
    headers: lockHeader,
    params: byId,
    body: AgentChange,
    ok: Agent,
  }),
  deleteAgent: route({
    method: "delete",
    path: `${base}/:id`,
    access: "jwt",
    permission: "agent:delete",
    changes: "agent/:id",
    summary: "Move an agent to the trash",
    failures: lockFailures,
    params: byId,
  }),
  restoreAgent: route({
    method: "post",
    path: `${base}/:id/restore`,
    access: "jwt",
    permission: "agent:update",
    changes: "agent/:id",
    summary: "Restore an agent from the trash",
    params: byId,
    ok: Agent,
  }),
  listVersions: route({
    method: "get",
    path: `${base}/:id/versions`,
    access: "jwt",
    permission: "agent:read",
    summary: "List the versions of an agent, newest first",
    description: LONG_PAGES,
    params: byId,
    query: pageQuery,
    ok: pageOf(ListedVersion),
  }),
  diffVersions: route({
    method: "get",
    path: `${base}/:id/versions/diff`,
    access: "jwt",
    permission: "agent:read",
    summary: "List the fields in which two versions differ",
    params: byId,
    query: z.object({ from: int4Text(1), to: int4Text(1) }),
    ok: z.object({
      changes: z.array(
        z.object({
          field: z.string(),
          from: z.unknown(),
          to: z.unknown(),
          words: z
            .array(TextChange)
            .optional()
            .describe(
              "Of a text: what was changed, word by word, where that can be compared",
            ),
        }),
      ),
    }),
  }),
  getVersion: route({
    method: "get",
    path: `${base}/:id/versions/:version`,
    access: "jwt",
    permission: "agent:read",
    summary: "Read a version",
    params: byVersion,
    ok: Version,
  }),
  restoreVersion: route({
    method: "post",
    path: `${base}/:id/versions/:version/restore`,
    access: "jwt",
    permission: "agent:update",
    changes: "agent/:id",
    summary: "Make an earlier version the newest",
    failures: lockFailures,
    params: byVersion,
    ok: Agent,
  }),
};
