import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import type { Rule } from "../contract.ts";
import type { RuleRun, RunError } from "../contract-runs.ts";

type Row = Omit<RuleRun, "createdAt" | "endedAt"> & { createdAt: Date; endedAt: Date | null };

/** The runs of a rule, the newest first, without what could tell of their media. */
export async function listRuleRuns(
  db: Database,
  { id, client_id: clientId }: Rule,
  limit: number,
  offset: number,
): Promise<{ items: RuleRun[]; total: number }> {
  const where = sql`rule_id = ${id} and client_id = ${clientId}`;
  const rows = await db.query<Row>(sql`select id, status, error, created_at as "createdAt",
      ended_at as "endedAt", (select coalesce(jsonb_agg(jsonb_build_object('agentId', agent_id,
        'status', case status when 'ready' then 'waiting' else status end,
        'tries', case when started_at is null then 0 else attempt end, 'error', error)
        order by position), '[]') from automations.steps where run_id = run.id) as agents
    from automations.runs run where ${where} order by id desc limit ${limit} offset ${offset}`);
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from automations.runs where ${where}`,
  );
  return { items: rows.map(toRuleRun), total: count?.total ?? 0 };
}

function toRuleRun({ createdAt, endedAt, error, agents, ...run }: Row): RuleRun {
  return {
    ...run,
    error: toReason(error),
    agents: agents.map((agent) => ({ ...agent, error: toReason(agent.error) })),
    createdAt: createdAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
  };
}

/** The code alone: the sentence may quote the medium, and is for whoever uploaded it. */
function toReason(error: RunError | null): RunError | null {
  if (error === null) return null;
  const message = SENTENCES[error.code] ?? `It failed with "${error.code}". ${ASK}`;
  return { code: error.code, message };
}

const ASK = "Whoever uploaded the medium sees the whole message.";
const SENTENCES: Record<string, string> = {
  agents_failed: "Not every agent came to its end. Each says why.",
  agent_gone: "The agent is deleted. Choose another agent for the rule.",
  agent_not_found:
    "The agent is deleted, or not shared with the uploader. " +
    "Share it, or choose another agent for the rule.",
  agent_not_usable:
    "The agent is deleted, or the rule's maker may not use it. Choose another agent for the rule.",
  agent_timeout: "The agent took too long. Raise its timeout in the rule.",
  dependency_failed: "An agent that it depends on did not come to its end.",
  medium_not_read: "The medium could not be read.",
  user_disabled: "The uploader is disabled.",
};
