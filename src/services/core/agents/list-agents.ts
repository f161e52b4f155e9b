import sql, { join, type Sql } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import type { User } from "../../../platform/http/caller.ts";
import { RESEARCH_AGENT } from "../contract-agents.ts";
import { MAX_ANSWER_CHARACTERS } from "../max-answer.ts";
import { toVisibleAgents } from "./access.ts";
import { whyNoResearch } from "./answering-agent.ts";
import type {
  Agent,
  AgentScope,
  ListedAgent,
  ListedVersion,
  VisibleListedAgent,
} from "./contract.ts";
import type { AgentType } from "./contract-definition.ts";
import type { AgentDeps } from "./manage-agents.ts";
import {
  FILES,
  HEAD,
  type ListedRow,
  type StoredAgent,
  toDefinition,
  toStoredAgent,
} from "./store.ts";

const CHARACTERS_PER_FILE = 39;
/** The keys of a definition that a page leaves out where all do not fit. */
const LONG_KEYS = ["instructions", "tools", "retrieval"];
/** Of a definition, what decides about the use of the agent. */
const KEYS_OF_USE = ["type", "flowId", "retrieval"];

export interface AgentFilter {
  /** Agents that fit one of these; at least one is given. */
  ownerId?: string;
  /** Lists the agents of this organisation and the built-in ones. */
  organization?: string;
  ids?: readonly string[];
  /** Left out. */
  without?: readonly string[];
  deleted?: boolean;
  query?: string | undefined;
  type?: AgentType | undefined;
  folderId?: string | "none" | undefined;
}

interface Narrowing extends Pick<AgentFilter, "query" | "type" | "folderId"> {
  scope: AgentScope;
}

/**
 * Agents that a user may use: own ones, those of the organisation, and those that others share. The
 * one that researches is left out where the web cannot be searched.
 */
export async function listVisibleAgents(
  deps: AgentDeps,
  user: User,
  { scope, ...filter }: Narrowing,
  limit: number,
  offset: number,
): Promise<{ items: VisibleListedAgent[]; total: number }> {
  const { userId, clientId } = user;
  const isOf = (other: AgentScope) => scope === other || scope === "all";
  const whose: AgentFilter = {
    ...filter,
    ...(isOf("own") && { ownerId: userId }),
    ...(isOf("organization") && {
      organization: clientId,
      without: (await whyNoResearch(deps.web)) ? [RESEARCH_AGENT] : [],
    }),
    ...(isOf("shared") && { ids: await deps.sharing.listShared("agent", userId) }),
  };
  const page = await listAgents(deps.db, whose, limit, offset);
  const items = await toVisibleAgents(deps, user, page.items);
  return { items, total: page.total };
}

/** Of these agents those that a user may use. */
export async function readVisibleAgents(
  deps: AgentDeps,
  user: User,
  ids: readonly string[],
): Promise<VisibleListedAgent[]> {
  const { items } = await listAgents(deps.db, { ids }, ids.length, 0);
  return toVisibleAgents(deps, user, items);
}

/** A page of agents, last changed first, without the long fields where they do not fit. */
export async function listAgents(
  db: Database,
  filter: AgentFilter,
  limit: number,
  offset: number,
): Promise<{ items: StoredAgent<ListedAgent>[]; total: number }> {
  const where = conditionOf(filter);
  const rows = await db.query<ListedRow & { fits: boolean }>(sql`
    with page as materialized (
      select a.*, ${FILES} as files from core.agents a where ${where}
      order by a.updated_at desc, a.id desc limit ${limit} offset ${offset})
    select ${HEAD}, ${fitting(sql`a`)} from page a, ${sizeOf(sql`page`)}
    order by a.updated_at desc, a.id desc`);
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from core.agents a where ${where}`,
  );
  const items = rows.map((row) => toStoredAgent(withoutAbsent(row)));
  return { items, total: count?.total ?? 0 };
}

/** The fields of an agent that decide who may use it. */
export type AgentOfUse = Pick<
  Agent,
  "id" | "ownerId" | "createdAt" | "type" | "flowId" | "retrieval"
>;

/** As `listAgents`, without the fields that can be long; `docIds` of `retrieval` are empty. */
export async function listAgentsOfUse(
  db: Database,
  filter: AgentFilter,
  limit: number,
): Promise<AgentOfUse[]> {
  const rows = await db.query<{
    id: string;
    ownerId: string;
    createdAt: Date;
    use: object;
  }>(
    sql`select a.id, a.owner_id as "ownerId", a.created_at as "createdAt",
      (select jsonb_object_agg(key, case when jsonb_typeof(value) = 'object'
        then value || '{"docIds": []}' else value end)
        from jsonb_each(a.definition) where key = any(${KEYS_OF_USE})) as use
    from core.agents a where ${conditionOf(filter)}
    order by a.updated_at desc, a.id desc limit ${limit}`,
  );
  return rows.map(({ use, createdAt, ...row }) => ({
    ...(use as Pick<Agent, "type" | "flowId" | "retrieval">), // these keys of a definition
    ...row,
    createdAt: createdAt.toISOString(),
  }));
}

type VersionRow = Omit<ListedVersion, "createdAt"> & { createdAt: Date; fits: boolean };

/** A page of versions, newest first, without the long fields where they do not fit. */
export async function listVersions(
  db: Database,
  id: string,
  limit: number,
  offset: number,
): Promise<{ items: ListedVersion[]; total: number }> {
  const rows = await db.query<VersionRow>(sql`
    with page as materialized (
      select * from core.agent_versions where agent_id = ${id}
      order by version desc limit ${limit} offset ${offset})
    select a.version, a.changed_by as "changedBy", a.created_at as "createdAt",
      ${fitting(sql`a`)} from page a, ${sizeOf(sql`page`)} order by a.version desc`);
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from core.agent_versions where agent_id = ${id}`,
  );
  const items = rows.map((row) => {
    const { definition, createdAt, ...rest } = withoutAbsent(row);
    return {
      ...rest,
      definition: toDefinition(definition),
      createdAt: createdAt.toISOString(),
    };
  });
  return { items, total: count?.total ?? 0 };
}

/** Whether the definitions and files of a page fit into an answer. */
function sizeOf(page: Sql): Sql {
  return sql`(select coalesce(sum(octet_length(definition::text)
      + ${CHARACTERS_PER_FILE} * cardinality(files)), 0) <= ${MAX_ANSWER_CHARACTERS} as fits
    from ${page}) size`;
}

function fitting(row: Sql): Sql {
  return sql`fits, case when fits then ${row}.files end as files,
    case when fits then ${row}.definition else ${row}.definition - ${LONG_KEYS}::text[] end
      as definition`;
}

/** The database gives null for files that are left out. */
function withoutAbsent<Row extends { fits: boolean; files?: string[] | undefined }>({
  fits,
  files,
  ...row
}: Row) {
  return { ...row, ...(fits && files && { files }) };
}

function conditionOf(filter: AgentFilter): Sql {
  const { ownerId, organization, ids, without = [], deleted = false } = filter;
  const { query, type, folderId } = filter;
  // whose agents somebody sees: as `decideRoles` in access.ts decides
  const whose: Sql[] = [];
  if (ownerId !== undefined) whose.push(sql`a.owner_id = ${ownerId}`);
  if (organization !== undefined) {
    whose.push(sql`a.type = 'system'`);
    whose.push(sql`(a.type = 'organization' and a.client_id = ${organization})`);
  }
  if (ids !== undefined) whose.push(sql`a.id = any(${[...ids]}::uuid[])`);
  const conditions: Sql[] = [sql`(${join(whose, " or ")})`];
  conditions.push(deleted ? sql`a.deleted_at is not null` : sql`a.deleted_at is null`);
  if (without.length > 0) conditions.push(sql`a.id <> all(${[...without]}::uuid[])`);
  if (folderId === "none") conditions.push(sql`a.folder_id is null`);
  else if (folderId !== undefined) conditions.push(sql`a.folder_id = ${folderId}`);
  if (query !== undefined)
    conditions.push(sql`strpos(core.fold_text(a.name), core.fold_text(${query})) > 0`);
  if (type !== undefined) conditions.push(sql`a.type = ${type}`);
  return join(conditions, " and ");
}
