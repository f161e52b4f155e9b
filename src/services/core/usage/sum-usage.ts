import sql, { join } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { isUnknownValue } from "../../../platform/db/errors.ts";
import { BadRequest } from "../../../platform/http/errors.ts";

interface Ask {
  /** Undefined: of all users. */
  userId?: string | undefined;
  /** A date is its first moment in the zone. */
  from?: string | undefined;
  to?: string | undefined;
  timeZone: string;
  groupBy: "day" | "user" | "model" | "agent";
  /** `provider/model`. */
  model?: string | undefined;
  /** `none`: replies of no agent. */
  agentId?: string | undefined;
  limit: number;
  offset: number;
}

const GROUPS = {
  user: sql`coalesce(user_id, '')`,
  model: sql`provider || '/' || model`,
  agent: sql`coalesce(agent_id, '')`,
};

interface Sum {
  group: string;
  inputTokens: number;
  outputTokens: number;
  cachedInputTokens: number;
  cacheWriteInputTokens: number;
  images: number;
  seconds: number;
  characters: number;
  requests: number;
  cost: number | null;
  currency: string | null;
}

/**
 * Tokens and costs by day, user, model or agent, the largest first (days: the newest first).
 * @throws BadRequest `time_zone_unknown`: the database's list of zones is older than ours.
 */
export async function sumUsage(
  db: Database,
  ask: Ask,
): Promise<{ items: Sum[]; total: number }> {
  const { timeZone } = ask;
  for (const name of [timeZone, otherName(timeZone)])
    try {
      if (name !== undefined) return await sum(db, { ...ask, timeZone: name });
    } catch (error) {
      if (!isUnknownValue(error)) throw error;
    }
  throw new BadRequest(
    "time_zone_unknown",
    `The database does not know the time zone ${timeZone}. Send another one, such as UTC.`,
  );
}

/**
 * Zones that browsers name as they were named once, and some systems' databases only as they are
 * now. Source: CLDR's canonical names; `backward` of the time zone database.
 */
const RENAMED_ZONES: Record<string, string> = {
  "Africa/Asmera": "Africa/Asmara",
  "America/Buenos_Aires": "America/Argentina/Buenos_Aires",
  "America/Catamarca": "America/Argentina/Catamarca",
  "America/Cordoba": "America/Argentina/Cordoba",
  "America/Godthab": "America/Nuuk",
  "America/Indianapolis": "America/Indiana/Indianapolis",
  "America/Jujuy": "America/Argentina/Jujuy",
  "America/Louisville": "America/Kentucky/Louisville",
  "America/Mendoza": "America/Argentina/Mendoza",
  "Asia/Calcutta": "Asia/Kolkata",
  "Asia/Katmandu": "Asia/Kathmandu",
  "Asia/Rangoon": "Asia/Yangon",
  "Asia/Saigon": "Asia/Ho_Chi_Minh",
  "Atlantic/Faeroe": "Atlantic/Faroe",
  "Europe/Kiev": "Europe/Kyiv",
  "Pacific/Enderbury": "Pacific/Kanton",
  "Pacific/Ponape": "Pacific/Pohnpei",
  "Pacific/Truk": "Pacific/Chuuk",
};

function otherName(timeZone: string): string | undefined {
  const [former] = Object.entries(RENAMED_ZONES).find(([, now]) => now === timeZone) ?? [];
  return RENAMED_ZONES[timeZone] ?? former;
}

async function sum(
  db: Database,
  { groupBy, limit, offset, ...ask }: Ask,
): Promise<{ items: Sum[]; total: number }> {
  const where = filterOf(ask);
  const group =
    groupBy === "day"
      ? sql`to_char(created_at at time zone ${ask.timeZone}, 'YYYY-MM-DD')`
      : GROUPS[groupBy];
  const items = await db.query<Sum>(sql`select ${group} as "group",
    sum(input_tokens)::float8 as "inputTokens", sum(output_tokens)::float8 as "outputTokens",
    coalesce(sum(cached_input_tokens), 0)::float8 as "cachedInputTokens", coalesce(sum(cache_write_input_tokens), 0)::float8 as "cacheWriteInputTokens",
    coalesce(sum(images), 0)::float8 as images, coalesce(sum(seconds), 0)::float8 as seconds, coalesce(sum(characters), 0)::float8 as characters, count(*)::int as requests,
    sum(cost)::float8 as cost, case when count(distinct currency) = 1 then min(currency) end as currency
    from core.model_transactions where ${where} group by 1 order by ${groupBy === "day" ? sql`1 desc` : sql`3 desc, 1`} limit ${limit} offset ${offset}`);
  const [count] = await db.query<{ total: number }>(
    sql`select count(distinct ${group})::int as total from core.model_transactions where ${where}`,
  );
  return { items, total: count?.total ?? 0 };
}

function filterOf({
  userId,
  from,
  to,
  timeZone,
  model,
  agentId,
}: Omit<Ask, "groupBy" | "limit" | "offset">) {
  const parts = [sql`true`];
  if (userId !== undefined) parts.push(sql`user_id = ${userId}`);
  if (from !== undefined) parts.push(sql`created_at >= ${momentOf(from, timeZone)}`);
  if (to !== undefined) parts.push(sql`created_at < ${momentOf(to, timeZone)}`);
  if (model !== undefined) parts.push(sql`provider || '/' || model = ${model}`);
  if (agentId === "none") parts.push(sql`agent_id is null`);
  else if (agentId !== undefined) parts.push(sql`agent_id = ${agentId}`);
  return join(parts, " and ");
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;

function momentOf(dateOrTime: string, timeZone: string) {
  return DATE.test(dateOrTime)
    ? sql`(${dateOrTime}::timestamp at time zone ${timeZone})`
    : sql`${dateOrTime}::timestamptz`;
}
