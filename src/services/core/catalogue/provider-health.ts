import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import { repeatUntilNone } from "../../../platform/db/repeat-until-none.ts";
import type { StoredFailure } from "../../../platform/http/reported-error.ts";
import { readMessage } from "../../../platform/queue/message.ts";
import type { Delivery } from "../../../platform/queue/queue.ts";
import {
  type CallOutcome,
  ProviderCalls,
} from "../../completion/contract-provider-calls.ts";
import type { ProviderHealth } from "./contract-health.ts";

const HOUR_MS = 3_600_000;
const SHOWN_HOURS = 24;
const RETENTION_DAYS = 7;
const ROWS_PER_BATCH = 1_000;

/** Stores what processes counted of their calls to providers. Idempotent, in any order. */
export async function storeProviderCalls(
  db: Database,
  delivery: Pick<Delivery, "data">,
): Promise<void> {
  const { source, counts } = readMessage(ProviderCalls, delivery);
  // in one order, so that processes that store at once do not wait for each other in a circle
  await db.query(
    sql`insert into core.provider_calls as c
      (provider, hour, outcome, source, calls, begun, first_token_ms, last_at, last_failure)
    select g.provider, g.hour, g.outcome, ${source}::uuid, g.calls, g.begun, g."firstTokenMs", g."lastAt", g."lastFailure"
    from jsonb_to_recordset(${jsonb(counts)}) as g (provider text, hour timestamptz, outcome text, calls bigint,
      begun bigint, "firstTokenMs" bigint, "lastAt" timestamptz, "lastFailure" jsonb)
    join core.model_providers p on p.name = g.provider
    where g.hour > now() - make_interval(days => ${RETENTION_DAYS})
    order by g.provider, g.hour, g.outcome
    on conflict (provider, hour, outcome, source) do update set
      calls = greatest(c.calls, excluded.calls), begun = greatest(c.begun, excluded.begun),
      first_token_ms = greatest(c.first_token_ms, excluded.first_token_ms),
      last_at = greatest(c.last_at, excluded.last_at),
      last_failure = case when excluded.last_at >= c.last_at then excluded.last_failure else c.last_failure end`,
    { name: "core-provider-calls" },
  );
}

interface Row {
  provider: string;
  hour: Date;
  outcome: CallOutcome;
  calls: number;
  begun: number;
  firstTokenMs: number;
  lastAt: Date;
  lastFailure: StoredFailure | null;
}

/** The last 24 hours of each provider, in the order of their list. */
export async function listProviderHealth(
  db: Database,
  limit: number,
  offset: number,
  now = Date.now(),
): Promise<{ items: ProviderHealth[]; total: number }> {
  const providers = await db.query<{ name: string }>(sql`
    select name from core.model_providers order by created_at, name limit ${limit} offset ${offset}`);
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from core.model_providers`,
  );
  const names = providers.map(({ name }) => name);
  const from = (Math.floor(now / HOUR_MS) - SHOWN_HOURS + 1) * HOUR_MS;
  const rows = await db.query<Row>(sql`
    select provider, hour, outcome, sum(calls)::float8 as calls, sum(begun)::float8 as begun,
      sum(first_token_ms)::float8 as "firstTokenMs", max(last_at) as "lastAt",
      (array_agg(last_failure order by last_at desc))[1] as "lastFailure"
    from core.provider_calls
    where provider = any(${names}::text[]) and hour >= ${new Date(from).toISOString()}::timestamptz
    group by provider, hour, outcome`);
  const rowsOf = Map.groupBy(rows, ({ provider }) => provider);
  return {
    items: names.map((name) => toHealth(name, from, rowsOf.get(name) ?? [])),
    total: count?.total ?? 0,
  };
}

function toHealth(name: string, from: number, rows: readonly Row[]): ProviderHealth {
  const ofHour = Map.groupBy(rows, ({ hour }) => hour.getTime());
  const hours = Array.from({ length: SHOWN_HOURS }, (_, at) => {
    const startsAt = from + at * HOUR_MS;
    return toHour(startsAt, ofHour.get(startsAt) ?? []);
  });
  const latest = rows.toSorted((one, other) => +other.lastAt - +one.lastAt);
  const answer = latest.find(({ outcome }) => outcome === "answered");
  const failure = latest.find(({ lastFailure }) => lastFailure !== null);
  return {
    name,
    hours,
    lastAnswerAt: answer?.lastAt.toISOString() ?? null,
    lastFailure: failure ? toLastFailure(failure) : null,
  };
}

function toHour(startsAt: number, rows: readonly Row[]): ProviderHealth["hours"][number] {
  const sum = (key: "calls" | "begun" | "firstTokenMs") =>
    rows.reduce((total, row) => total + row[key], 0);
  const begun = sum("begun");
  return {
    startsAt: new Date(startsAt).toISOString(),
    calls: sum("calls"),
    failures: rows.flatMap(({ outcome, calls }) =>
      outcome === "answered" ? [] : { how: outcome, calls },
    ),
    firstTokenMs: begun > 0 ? Math.round(sum("firstTokenMs") / begun) : null,
  };
}

function toLastFailure({ lastFailure, lastAt }: Row): ProviderHealth["lastFailure"] {
  if (!lastFailure) return null;
  const { code, message, params } = lastFailure;
  return { code, error: message, ...(params && { params }), at: lastAt.toISOString() };
}

/** Deletes counts after seven days. */
export async function purgeProviderCalls(db: Database, signal: AbortSignal): Promise<void> {
  const purge = async () => {
    const rows = await db.query(sql`
      delete from core.provider_calls where ctid in (
        select ctid from core.provider_calls
        where hour < now() - make_interval(days => ${RETENTION_DAYS})
        limit ${ROWS_PER_BATCH}) returning 1`);
    return rows.length;
  };
  await repeatUntilNone(db, purge, signal);
}
