import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import type { Medium } from "../contract-media.ts";
import type { MediumFacts } from "../contract-runs.ts";

/** Runs without a medium, such as those of schedules, are passed by among so many. */
const MAX_RUNS_READ = 1_000;

interface Row {
  runId: string;
  type: string;
  origin: string;
  medium: MediumFacts;
  madeBy: number[];
  createdAt: Date;
}

/** The last media that a user sent, newest first. Uses the index `runs_of_user`. */
export async function listRecentMedia(db: Database, userId: string, limit: number) {
  const rows = await db.query<Row>(sql`select id as "runId", type, origin, medium,
      array_remove(made_by, rule_id)::float8[] as "madeBy", created_at as "createdAt"
    from (select id, type, origin, medium, made_by, rule_id, rerun_of, created_at
      from automations.runs
      where user_id = ${userId} order by id desc limit ${MAX_RUNS_READ}) recent
    where medium is not null and rerun_of is null
    order by id desc limit ${limit}`);
  return rows.map(({ runId, madeBy, createdAt, ...run }) => ({
    runId,
    madeBy,
    receivedAt: createdAt.toISOString(),
    medium: toMedium(run),
  }));
}

function toMedium({
  type,
  origin,
  medium,
}: Pick<Row, "type" | "origin" | "medium">): Medium {
  const { filename, mimeType, path, tags, metadata } = medium;
  return {
    type,
    mimeType,
    filename,
    origin,
    ...(path !== null && { path }),
    tags,
    metadata,
  };
}
