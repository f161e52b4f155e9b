import sql, { join, type Sql } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import type { Agent, Version } from "./contract.ts";
import type { AgentDefinition, AgentType } from "./contract-definition.ts";

interface Row {
  id: string;
  ownerId: string;
  clientId: string;
  folderId: string | null;
  definition: AgentDefinition;
  files: string[];
  version: number;
  createdAt: Date;
  updatedAt: Date;
  deletedAt: Date | null;
}

/** An agent with the fields that decide about access. */
export interface StoredAgent {
  agent: Agent;
  clientId: string;
}

const COLUMNS = sql`a.id, a.owner_id as "ownerId", a.client_id as "clientId", a.folder_id as "folderId", a.definition, a.version, a.created_at as "createdAt",
  a.updated_at as "updatedAt", a.deleted_at as "deletedAt",
  array(select f.file_id from core.agent_files f where f.agent_id = a.id order by f.position) as files`;

export async function findAgents(
  db: Database,
  ids: readonly string[],
  { locked = false } = {},
): Promise<StoredAgent[]> {
  if (ids.length === 0) return [];
  // a statement that waited for a lock would still see the files as they were when it started
  if (locked)
    await db.query(
      sql`select 1 from core.agents where id in (${join([...ids])}) order by id for update`,
    );
  const rows = await db.query<Row>(
    sql`select ${COLUMNS} from core.agents a where a.id in (${join([...ids])})`,
  );
  return rows.map(toStoredAgent);
}

export interface AgentFilter {
  /** Agents that fit one of these; at least one is given. */
  ownerId?: string;
  /** Lists the agents of this organisation and the built-in ones. */
  organization?: string;
  ids?: readonly string[];
  deleted?: boolean;
  query?: string | undefined;
  type?: AgentType | undefined;
  folderId?: string | "none" | undefined;
}

export async function listAgents(
  db: Database,
  filter: AgentFilter,
  limit: number,
  offset: number,
): Promise<{ items: StoredAgent[]; total: number }> {
  const where = conditionOf(filter);
  const rows = await db.query<Row>(
    sql`select ${COLUMNS} from core.agents a where ${where} order by a.updated_at desc, a.id desc limit ${limit} offset ${offset}`,
  );
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from core.agents a where ${where}`,
  );
  return { items: rows.map(toStoredAgent), total: count?.total ?? 0 };
}

function conditionOf(filter: AgentFilter): Sql {
  const { ownerId, organization, ids, deleted = false, query, type, folderId } = filter;
  const whose: Sql[] = [];
  if (ownerId !== undefined) whose.push(sql`a.owner_id = ${ownerId}`);
  if (organization !== undefined) {
    whose.push(sql`a.type = 'system'`);
    whose.push(sql`(a.type = 'organization' and a.client_id = ${organization})`);
  }
  if (ids !== undefined) whose.push(sql`a.id = any(${[...ids]}::uuid[])`);
  const conditions: Sql[] = [sql`(${join(whose, " or ")})`];
  conditions.push(deleted ? sql`a.deleted_at is not null` : sql`a.deleted_at is null`);
  if (folderId === "none") conditions.push(sql`a.folder_id is null`);
  else if (folderId !== undefined) conditions.push(sql`a.folder_id = ${folderId}`);
  if (query !== undefined)
    conditions.push(sql`strpos(core.fold_text(a.name), core.fold_text(${query})) > 0`);
  if (type !== undefined) conditions.push(sql`a.type = ${type}`);
  return join(conditions, " and ");
}

interface NewVersion {
  id: string;
  ownerId: string;
  clientId: string;
  folderId: string | null;
  definition: AgentDefinition;
  files: readonly string[];
  changedBy: string;
}

/** Leaves out agents in the trash. */
export async function countAgents(db: Database, ownerId: string): Promise<number> {
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from core.agents where owner_id = ${ownerId} and deleted_at is null`,
  );
  return count?.total ?? 0;
}

/** The characters of all agents of an owner together; leaves out agents in the trash. */
export async function sizeOfAgents(db: Database, ownerId: string): Promise<number> {
  const [row] = await db.query<{ size: number }>(sql`
    select coalesce(sum(octet_length(definition::text)), 0)::float8 as size
    from core.agents where owner_id = ${ownerId} and deleted_at is null`);
  return row?.size ?? 0;
}

/** Call it inside a transaction. */
export async function insertAgent(db: Database, agent: NewVersion): Promise<void> {
  const { id, ownerId, clientId, folderId, definition } = agent;
  await db.query(sql`insert into core.agents (id, owner_id, client_id, type, name, folder_id, definition)
    values (${id}, ${ownerId}, ${clientId}, ${definition.type}, ${definition.name}, ${folderId}, ${jsonb(definition)})`);
  await keepVersion(db, agent, 1);
}

/** Call it inside a transaction, with the agent locked. A move makes no new version. */
export async function updateAgent(
  db: Database,
  agent: NewVersion & { version: number; changed: boolean },
): Promise<void> {
  const { id, folderId, definition, version, changed } = agent;
  await db.query(sql`update core.agents set type = ${definition.type}, name = ${definition.name}, folder_id = ${folderId},
    definition = ${jsonb(definition)}, version = ${version}, updated_at = now() where id = ${id}`);
  if (changed) await keepVersion(db, agent, version);
}

async function keepVersion(
  db: Database,
  { id, definition, files, changedBy }: NewVersion,
  version: number,
): Promise<void> {
  await db.query(sql`insert into core.agent_versions (agent_id, version, definition, files, changed_by)
    values (${id}, ${version}, ${jsonb(definition)}, ${[...files]}::uuid[], ${changedBy})`);
  await db.query(sql`delete from core.agent_files where agent_id = ${id}`);
  await db.query(sql`insert into core.agent_files (agent_id, file_id, position)
    select ${id}, file_id, position from unnest(${[...files]}::uuid[]) with ordinality as given (file_id, position) on conflict do nothing`);
}

export async function setDeleted(
  db: Database,
  id: string,
  deleted: boolean,
): Promise<void> {
  await db.query(
    sql`update core.agents set deleted_at = ${deleted ? sql`now()` : sql`null`} where id = ${id}`,
  );
}

/** Deletes agents that were in the trash for longer. @returns their ids. */
export async function purgeAgents(db: Database, olderThanMs: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    sql`delete from core.agents where deleted_at < now() - ${olderThanMs} * interval '1 millisecond' returning id`,
  );
  return rows.map(({ id }) => id);
}

type VersionRow = Omit<Version, "createdAt"> & { createdAt: Date };
const LATER_FIELDS = { approval: "destructive" } as const;
const VERSION = sql`version, definition, files, changed_by as "changedBy", created_at as "createdAt"`;

export async function listVersions(
  db: Database,
  id: string,
  limit: number,
  offset: number,
): Promise<{ items: Version[]; total: number }> {
  const rows = await db.query<VersionRow>(
    sql`select ${VERSION} from core.agent_versions where agent_id = ${id} order by version desc limit ${limit} offset ${offset}`,
  );
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from core.agent_versions where agent_id = ${id}`,
  );
  return { items: rows.map(versionOf), total: count?.total ?? 0 };
}

export async function findVersion(
  db: Database,
  id: string,
  version: number,
): Promise<Version | undefined> {
  const [row] = await db.query<VersionRow>(
    sql`select ${VERSION} from core.agent_versions where agent_id = ${id} and version = ${version}`,
  );
  return row && versionOf(row);
}

function versionOf({ definition, createdAt, ...row }: VersionRow): Version {
  return {
    ...row,
    definition: toDefinition(definition),
    createdAt: createdAt.toISOString(),
  };
}

/** Definitions that were stored before there was a field lack it. */
function toDefinition(stored: AgentDefinition): AgentDefinition {
  return { ...LATER_FIELDS, ...stored };
}

function toStoredAgent(row: Row): StoredAgent {
  return { agent: agentOf(row), clientId: row.clientId };
}

function agentOf({
  definition,
  clientId: _,
  createdAt,
  updatedAt,
  deletedAt,
  ...row
}: Row): Agent {
  return {
    ...toDefinition(definition),
    ...row,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    ...(deletedAt && { deletedAt: deletedAt.toISOString() }),
  };
}
