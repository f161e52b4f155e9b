import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import type { ResearchBudget, ResearchState } from "./contract-state.ts";

/** Investigations of one research that run at once. */
export const MAX_AT_ONCE = 4;
/** Longer than one takes, whose searches, pages and notes are all bounded in time. */
const LONGEST_MINUTES = 15;
const MAX_UNREAD = 50;

type Unread = ResearchState["unread"][number];

const STATE = sql`jsonb_build_object('steps', r.steps, 'budget', r.budget,
  'used', jsonb_build_object('searches', r.searches, 'pages', r.pages), 'unread', r.unread)`;

/** The research of a row of `core.messages`; null for any other reply. */
export const RESEARCH_OF_MESSAGE = sql`(
  select ${STATE} from core.research r where r.message_id = messages.id)`;

/** Begins the research of a reply, or changes its plan: what was used stays used. */
export async function savePlan(
  db: Database,
  messageId: string,
  { steps, budget }: Pick<ResearchState, "steps" | "budget">,
): Promise<ResearchState> {
  const [row] = await db.query<{ state: ResearchState }>(sql`
    insert into core.research as r (message_id, steps, budget)
    values (${messageId}, ${jsonb(steps)}, ${jsonb(budget)})
    on conflict (message_id) do update set steps = excluded.steps, budget = excluded.budget
    returning ${STATE} as state`);
  if (!row) throw new Error("the plan of a research was not stored");
  return row.state;
}

export async function findResearch(
  db: Database,
  messageId: string,
): Promise<ResearchState | undefined> {
  const [row] = await db.query<{ state: ResearchState }>(
    sql`select ${STATE} as state from core.research r where r.message_id = ${messageId}`,
  );
  return row?.state;
}

/** What an investigation may use. */
export interface Allowance {
  searches: number;
  pages: number;
}

/** Begun, with what it may use. */
export interface Begun extends Allowance {
  at: Date;
}

/**
 * Begins an investigation, which takes what it wants from the budget, or what is left of it.
 * @returns nothing where as many run as may at once. Those of a killed process end by their age.
 */
export async function beginInvestigation(
  db: Database,
  messageId: string,
  wanted: Allowance,
): Promise<Begun | undefined> {
  return db.tx(async () => {
    const [row] = await db.query<
      Allowance & { budget: ResearchBudget; running: Date[]; at: Date }
    >(sql`
      select searches, pages, budget, date_trunc('milliseconds', clock_timestamp()) as at,
        array(select began from unnest(running) began
          where began > now() - make_interval(mins => ${LONGEST_MINUTES})) as running
      from core.research where message_id = ${messageId} for update`);
    if (!row || row.running.length >= MAX_AT_ONCE) return undefined;
    const left = (name: keyof Allowance) =>
      Math.max(0, Math.min(wanted[name], row.budget[name] - row[name]));
    const begun = { searches: left("searches"), pages: left("pages"), at: row.at };
    await db.query(sql`update core.research set
      running = ${[...row.running, begun.at]}::timestamptz[],
      searches = searches + ${begun.searches}, pages = pages + ${begun.pages}
      where message_id = ${messageId}`);
    return begun;
  });
}

/** What became of an investigation. */
interface Ended {
  began: Date;
  /** What it did not use of its grant. */
  unused: Allowance;
  unread: readonly Unread[];
  /** The step, from 0, that it found something out for. */
  step?: number | undefined;
}

/** Ends an investigation. @returns the state after it. */
export async function endInvestigation(
  db: Database,
  messageId: string,
  { began, unused, unread, step }: Ended,
): Promise<ResearchState | undefined> {
  const path = [String(step ?? 0), "done"];
  const done = step === undefined ? sql`steps` : sql`jsonb_set(steps, ${path}, 'true')`;
  const [row] = await db.query<{ state: ResearchState }>(sql`
    update core.research r set steps = ${done}, running = array(
        select other from unnest(running) with ordinality one (other, place)
        where place is distinct from array_position(running, ${began}::timestamptz)),
      searches = searches - ${unused.searches}, pages = pages - ${unused.pages},
      unread = jsonb_path_query_array(unread || ${jsonb(unread)},
        ${`$[0 to ${MAX_UNREAD - 1}]`}::jsonpath)
    where message_id = ${messageId} returning ${STATE} as state`);
  return row?.state;
}

/** The canvas that a reply has made, not one that it only changed. */
export async function findReport(
  db: Database,
  messageId: string,
): Promise<string | undefined> {
  const [row] = await db.query<{ id: string }>(sql`select v.canvas_id as id
    from core.canvas_versions v join core.canvases c on c.id = v.canvas_id
    where v.message_id = ${messageId} and v.version = 1 and c.deleted_at is null
    order by c.id limit 1`);
  return row?.id;
}
