import { z } from "zod";
import { int4 } from "../../../platform/http/bounds.ts";
import { ModelParameters } from "../../completion/contract-model-parameters.ts";

/** What an agent consists of. See docs/custom-agents.md. */

export const AgentType = z.enum(["simple", "cortex", "workflow", "system", "organization"]);
export type AgentType = z.output<typeof AgentType>;

const Rerank = z.object({
  enabled: z.boolean(),
  strategy: z.enum(["bge", "llm"]).optional(),
  topK: z.number().int().min(1).max(50).optional().describe("Passages kept. Default: all"),
  score: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe("Least score of a passage that is kept"),
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
  tools: z
    .array(z.string().min(1).max(300))
    .max(512)
    .default([])
    .describe("Names of tools, or `toolset:name` for all of one, also those added later"),
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
  parameters: ModelParameters.default({}).describe(
    "For each turn of its model. One that a provider's protocol has no place for fails the reply by name",
  ),
  approval: z
    .enum(["destructive", "always"])
    .default("destructive")
    .describe(
      "Which tool calls wait for a decision, where the message does not ask for more",
    ),
  starters: z
    .array(z.string().min(1).max(500))
    .max(20)
    .default([])
    .describe("Questions to begin with"),
  icon: z.string().max(20_000).nullable().default(null),
});
export type AgentDefinition = z.output<typeof AgentDefinition>;

const left = "Left out of a page of agents that are too long for one answer";
/** A definition in a list, whose fields have no defaults. */
export const ListedDefinition = AgentDefinition.extend({
  instructions: z.string().optional().describe(left),
  tools: z.array(z.string()).optional().describe(left),
  retrieval: Retrieval.nullable().optional().describe(left),
});
export type ListedDefinition = z.output<typeof ListedDefinition>;

export const Placed = {
  files: z.array(z.uuid()).max(1_000).default([]),
  folderId: z.uuid().nullable().default(null),
};
/** As it is given: an unknown field in it may be a misspelt one. */
export const NewAgent = AgentDefinition.extend({
  ...Placed,
  parameters: ModelParameters.strict()
    .default({})
    .describe(AgentDefinition.shape.parameters.description ?? ""),
  retrieval: Retrieval.extend({ rerank: Rerank.strict().optional() })
    .strict()
    .nullable()
    .default(null)
    .describe(AgentDefinition.shape.retrieval.description ?? ""),
});
export type NewAgent = z.output<typeof NewAgent>;
const baseVersion = int4()
  .optional()
  .describe(
    "The version that the change was made from; 409 when it is no longer the newest",
  );
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
