import { z } from "zod";

/** The agents of a rule or a schedule. See docs/automations.md. */

const AgentId = z.uuid();
const AgentStep = z.strictObject({
  id: AgentId,
  priority: z
    .number()
    .int()
    .min(-1_000)
    .max(1_000)
    .optional()
    .describe("Higher runs earlier"),
  timeout: z.number().positive().max(3_600).optional().describe("Seconds"),
  retry_count: z.number().int().min(0).max(10).optional(),
  depends_on: z
    .array(AgentId)
    .max(50)
    .optional()
    .describe(
      "Agents of the same rule whose outputs it needs; it starts when they are complete",
    ),
});
export const RuleAgents = z
  .array(z.union([AgentId, AgentStep]))
  .min(1)
  .max(50);
export type RuleAgents = z.output<typeof RuleAgents>;
