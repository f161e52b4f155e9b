import { z } from "zod";
import { int4, int4Text } from "../../../platform/http/bounds.ts";
import { pageOf, pageQuery } from "../../../platform/http/page.ts";
import { route } from "../../../platform/http/route.ts";
import { resolveAgents } from "../contract-agents.ts";
import { agentsBulkContract, Ids } from "./contract-bulk.ts";
import { foldersContract } from "./contract-folders.ts";

/** Agents that users create. See docs/custom-agents.md. */

export const AgentType = z.enum(["simple", "cortex", "workflow", "system", "organization"]);
export type AgentType = z.output<typeof AgentType>;

const Rerank = z.object({
  enabled: z.boolean(),
  strategy: z.enum(["bge", "llm"]).optional(),
  topK: z.number().int().min(1).max(50).optional().describe("Passages kept. Default: all"),
  score: z.number().min(0).max(1).optional().describe("Least score of a passage that is kept"),
});
export type Rerank = z.output<typeof Rerank>;
const Retrieval = z.object({
  topK: z.number().int().min(5).max(50).default(20),
  grade: z.number().min(0).max(1).default(0.2).describe("Least similarity of a passage"),
  rerank: Rerank.optional(),
  mode: z
    .enum(["step", "tool", "both"])
    .default("step")
    .describe(
      "Passages are looked for before the model is asked (any model can that), by the model with a tool, or both",
    ),
  docIds: z
    .array(z.uuid())
    .max(1_000)
    .default([])
    .describe(
      "Documents to answer from, besides the agent's files; empty: all that the asker may see",
    ),
});

/** The fields of a version: everything that determines an agent's answers except its files. */
export const AgentDefinition = z.object({
  name: z.string().trim().min(1).max(200),
  description: z.string().max(4_000).default(""),
  type: AgentType.default("simple"),
  instructions: z.string().max(100_000).default(""),
  model: z.string().max(300).nullable().default(null).describe("null: the default model"),
  tools: z.array(z.string().min(1).max(300)).max(512).default([]),
  flowId: z
    .string()
    .max(200)
    .nullable()
    .default(null)
    .describe("For `workflow`: the flow that it runs"),
  retrieval: Retrieval.nullable()
    .default(null)
    .describe(
      "How it looks for passages; what is not `cortex` answers from documents as well where this is given",
    ),
  temperature: z.number().min(0).max(2).nullable().default(null),
  starters: z
    .array(z.string().min(1).max(500))
    .max(20)
    .default([])
    .describe("Questions to begin with"),
  icon: z.string().max(20_000).nullable().default(null),
});
export type AgentDefinition = z.output<typeof AgentDefinition>;

const Placed = {
  files: z.array(z.uuid()).max(1_000).default([]),
  folderId: z.uuid().nullable().default(null),
};
export const NewAgent = AgentDefinition.extend(Placed);
export type NewAgent = z.output<typeof NewAgent>;
const baseVersion = int4()
  .optional()
  .describe("The version that the change was made from; 409 when it is no longer the newest");
export const WholeAgent = NewAgent.extend({ baseVersion });

/** Absent fields keep their values, so no field has a default. */
export const AgentChange = z
  .object(
    Object.fromEntries(
      Object.entries(NewAgent.shape).map(([name, schema]) => [
        name,
        schema instanceof z.ZodDefault ? schema.unwrap() : schema,
      ]),
    ) as unknown as { [Name in keyof typeof NewAgent.shape]: z.ZodType<NewAgent[Name]> }, // the same schemas without their defaults
  )
  .partial()
  .extend({ baseVersion });
export type AgentChange = z.output<typeof AgentChange>;

export const Agent = NewAgent.extend({
  id: z.uuid(),
  ownerId: z.string(),
  version: z.number().int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  deletedAt: z.iso.datetime().optional(),
});
export type Agent = z.output<typeof Agent>;

const Version = z.object({
  version: z.number().int(),
  changedBy: z.string(),
  createdAt: z.iso.datetime(),
  definition: AgentDefinition,
  files: z.array(z.uuid()),
});
export type Version = z.output<typeof Version>;

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
    summary: "List the caller's agents, last changed first",
    query: pageQuery.extend({
      query: z.string().max(200).optional().describe("Part of the name"),
      type: AgentType.optional(),
    }),
    ok: pageOf(Agent),
  }),
  multipleAgents: route({
    method: "get",
    path: `${base}/multiple`,
    access: "jwt",
    permission: "agent:read",
    summary: "Read several agents; unknown and invisible ones are left out",
    query: z.object({
      ids: z
        .string()
        .max(10_000)
        .transform((ids) => [...new Set(ids.split(",").map((id) => id.trim()))])
        .pipe(Ids)
        .describe("Comma-separated"),
    }),
    ok: z.array(Agent),
  }),
  agentTree: route({
    method: "get",
    path: `${base}/tree`,
    access: "jwt",
    permission: "agent:read",
    summary: "Read the caller's folders and agents as a tree",
    ok: z.object({ folders: z.array(TreeFolder), agents: z.array(Agent) }),
  }),
  organizationAgents: route({
    method: "get",
    path: `${base}/organization`,
    access: "jwt",
    permission: "agent:read",
    summary: "List agents of the organisation and built-in agents",
    query: pageQuery,
    ok: pageOf(Agent),
  }),
  agentTrash: route({
    method: "get",
    path: `${base}/trash`,
    access: "jwt",
    permission: "agent:read",
    summary: "List the caller's deleted agents, which can still be restored",
    query: pageQuery,
    ok: pageOf(Agent),
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
    ok: Agent,
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
    summary: "Replace an agent; absent fields return to their defaults",
    params: byId,
    body: WholeAgent,
    ok: Agent,
  }),
  patchAgent: route({
    method: "patch",
    path: `${base}/:id`,
    access: "jwt",
    permission: "agent:update",
    summary: "Change an agent",
    params: byId,
    body: AgentChange,
    ok: Agent,
  }),
  deleteAgent: route({
    method: "delete",
    path: `${base}/:id`,
    access: "jwt",
    permission: "agent:delete",
    summary: "Move an agent to the trash",
    params: byId,
  }),
  restoreAgent: route({
    method: "post",
    path: `${base}/:id/restore`,
    access: "jwt",
    permission: "agent:update",
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
    params: byId,
    query: pageQuery,
    ok: pageOf(Version),
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
      changes: z.array(z.object({ field: z.string(), from: z.unknown(), to: z.unknown() })),
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
    summary: "Make an earlier version the newest",
    params: byVersion,
    ok: Agent,
  }),
};
