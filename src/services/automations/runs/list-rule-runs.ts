import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import type { Rule } from "../contract.ts";
import type { RuleRun, RunError } from "../contract-runs.ts";

type Row = Omit<RuleRun, "createdAt" | "endedAt"> & {
  createdAt: Date;
  endedAt: Date | null;
};

/** A page of the runs of a rule, newest first, without details of their media. */
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
    error: toPublicError(error),
    agents: agents.map((agent) => ({ ...agent, error: toPublicError(agent.error) })),
    createdAt: createdAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
  };
}

/** Replaces the message, which may quote the medium and is for its uploader only. */
function toPublicError(error: RunError | null): RunError | null {
  if (error === null) return null;
  const message =
    MESSAGES[error.code] ?? `It failed with the code "${error.code}". ${ASK_UPLOADER}`;
  return { code: error.code, message };
}

const ASK_UPLOADER = "The user who uploaded the medium can read the whole message.";
const MESSAGES: Record<string, string> = {
  agents_failed: "Some agents did not complete. See the error of each agent.",
  agent_gone: "The agent is deleted. Choose another agent for the rule.",
  agent_not_found:
    "The agent is deleted, or not shared with the uploader. " +
    "Share it, or choose another agent for the rule.",
  agent_not_usable:
    "The agent is deleted, or the rule's creator may not use it. " +
    "Choose another agent for the rule.",
  agent_timeout: "The agent took too long. Raise its timeout in the rule.",
  dependency_failed: "An agent that it depends on did not complete.",
  medium_not_read: "The medium could not be read.",
  user_disabled: "The uploader is disabled.",
  user_absent: "The uploader has not signed in for too long.",
};
