import sql, { join, type Sql } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { inTurn } from "../../../platform/db/batch-turns.ts";
import { deleteAll } from "../../../platform/db/delete-all.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import type { Agent, ListedAgent, Version } from "./contract.ts";
import type { AgentDefinition, ListedDefinition } from "./contract-definition.ts";

const AGENTS_PER_BATCH = 50;

interface Row<Definition> {
  id: string;
  ownerId: string;
  clientId: string;
  folderId: string | null;
  definition: Definition;
  version: number;
  createdAt: Date;
  updatedAt: Date;
  deletedAt: Date | null;
}

export type AgentRow = Row<AgentDefinition> & { files: string[] };
export type ListedRow = Row<ListedDefinition> & { files?: string[] };

/** An agent with the fields that decide about access. */
export interface StoredAgent<Kind extends ListedAgent = Agent> {
  agent: Kind;
  clientId: string;
}

/** All but the definition and the files. */
export const HEAD = sql`a.id, a.owner_id as "ownerId", a.client_id as "clientId",
  a.folder_id as "folderId", a.version, a.created_at as "createdAt",
  a.updated_at as "updatedAt", a.deleted_at as "deletedAt"`;
export const FILES = sql`array(select f.file_id from core.agent_files f
  where f.agent_id = a.id order by f.position)`;
const COLUMNS = sql`${HEAD}, a.definition, ${FILES} as files`;

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
  const rows = await db.query<AgentRow>(
    sql`select ${COLUMNS} from core.agents a where a.id in (${join([...ids])})`,
  );
  return rows.map((row) => toStoredAgent(row));
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

/** All agents of an owner, last changed first; leaves out agents in the trash. */
export async function readAgentsOf(
  db: Database,
  ownerId: string,
  limit: number,
): Promise<Agent[]> {
  const rows = await db.query<AgentRow>(sql`select ${COLUMNS} from core.agents a
    where a.owner_id = ${ownerId} and a.deleted_at is null
    order by a.updated_at desc, a.id desc limit ${limit}`);
  return rows.map((row) => toStoredAgent(row).agent);
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
  await db.query(sql`update core.agents
    set bytes = bytes + octet_length(definition::text) where id = ${id}`);
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

/**
 * Deletes agents that were in the trash for longer, after `forget` has deleted the registration of
 * each: an agent that is gone would never be registered again, and never be forgotten.
 * @throws NotDeleted
 */
export async function purgeAgents(
  db: Database,
  olderThanMs: number,
  forget: (id: string) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const isOld = sql`deleted_at < now() - ${olderThanMs} * interval '1 millisecond'`;
  const remove = async (ids: string[]) => {
    for (const id of ids) await forget(id);
    await deleteAgents(db, ids, isOld);
  };
  await deleteAll({ next: agentsWhere(db, isOld), remove }, signal);
}

/** Deletes the agents of a user but those of the organisation. @throws NotDeleted */
export async function deleteAgentsOf(db: Database, ownerId: string): Promise<void> {
  // one index has those outside the trash, another those in it
  for (const part of [sql`deleted_at is null`, sql`deleted_at is not null`]) {
    const where = sql`owner_id = ${ownerId} and type <> 'organization' and ${part}`;
    const remove = (ids: string[]) => deleteAgents(db, ids, where);
    await deleteAll({ next: agentsWhere(db, where), remove });
  }
}

const agentsWhere = (db: Database, where: Sql) => async (after: string) => {
  const rows = await db.query<{ id: string }>(sql`select id from core.agents
    where ${where} and id > ${after} order by id limit ${AGENTS_PER_BATCH}`);
  return rows.map(({ id }) => id);
};

/** Their versions go with them. One that was restored in the meantime stays. */
async function deleteAgents(db: Database, ids: string[], where: Sql): Promise<void> {
  await inTurn(db, () =>
    db.query(sql`delete from core.agents where id = any(${ids}::uuid[]) and ${where}`),
  );
}

type VersionRow = Omit<Version, "createdAt"> & { createdAt: Date };
const LATER_FIELDS = { approval: "destructive", parameters: {} } as const;
const VERSION = sql`version, definition, files, changed_by as "changedBy", created_at as "createdAt"`;

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
export function toDefinition<Stored extends object>(stored: Stored) {
  return { ...LATER_FIELDS, ...stored };
}

export function toStoredAgent(row: AgentRow): StoredAgent;
export function toStoredAgent(row: ListedRow): StoredAgent<ListedAgent>;
export function toStoredAgent({
  definition,
  clientId,
  createdAt,
  updatedAt,
  deletedAt,
  ...row
}: ListedRow): StoredAgent<ListedAgent> {
  const agent = {
    ...toDefinition(definition),
    ...row,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    ...(deletedAt && { deletedAt: deletedAt.toISOString() }),
  };
  return { agent, clientId };
}
