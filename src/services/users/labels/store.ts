import sql, { type Sql } from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import type { Database } from "../../../platform/db/database.ts";
import { isUniqueViolation } from "../../../platform/db/errors.ts";
import { insertWithinLimit } from "../../../platform/db/insert-within-limit.ts";
import { BadRequest, Conflict, NotFound } from "../../../platform/http/errors.ts";
import { MAX_LABELS } from "../contract-judge-labels.ts";
import type { Label, LabelChange, NewLabel } from "../contract-labels.ts";

export interface LabelRow extends Omit<Label, "createdAt" | "updatedAt"> {
  createdAt: Date;
  updatedAt: Date;
}

export const LABEL = sql`label.id, label.name, label.description, label.color, label.providers,
  label.open_world as "openWorld", label.sharing, label.removal,
  label.created_at as "createdAt", label.updated_at as "updatedAt"`;

export async function listLabels(
  db: Database,
  clientId: string,
  limit: number,
  offset: number,
): Promise<{ items: Label[]; total: number }> {
  const rows = await db.query<LabelRow>(sql`select ${LABEL} from users.labels label
    where client_id = ${clientId} order by lower(name), id limit ${limit} offset ${offset}`);
  return { items: rows.map(toLabel), total: await countLabels(db, clientId) };
}

/** @throws Conflict `label_name_taken`, `too_many_labels`; BadRequest `group_unknown`. */
export async function insertLabel(
  db: Database,
  clientId: string,
  label: NewLabel,
): Promise<Label> {
  await refuseUnknownGroups(db, clientId, label.sharing);
  const { name, description, color, providers, openWorld, sharing, removal } = label;
  const limit = {
    key: `labels of ${clientId}`,
    max: MAX_LABELS,
    count: () => countLabels(db, clientId),
    code: "too_many_labels",
    message: `An organisation may have ${MAX_LABELS} labels. Delete one first.`,
  };
  const insert = () =>
    db.query<LabelRow>(sql`
      insert into users.labels as label (id, client_id, name, description, color, providers,
        open_world, sharing, removal)
      values (${uuidv7()}, ${clientId}, ${name}, ${description}, ${color}, ${providers}::text[],
        ${openWorld}, ${sharing}::uuid[], ${removal})
      returning ${LABEL}`);
  const [row] = await insertWithinLimit(db, limit, insert).catch(throwNameTaken);
  if (!row) throw new Error("an insert returned no row");
  return toLabel(row);
}

/** @throws NotFound `label_not_found`, and what `insertLabel` throws. */
export async function updateLabel(
  db: Database,
  clientId: string,
  id: string,
  change: LabelChange,
): Promise<Label> {
  await refuseUnknownGroups(db, clientId, change.sharing ?? null);
  const keep = (value: unknown, column: Sql, type = sql``): Sql =>
    value === undefined ? column : sql`${value}${type}`;
  const [row] = await db
    .query<LabelRow>(sql`update users.labels label set updated_at = now(),
      name = ${keep(change.name, sql`name`)},
      description = ${keep(change.description, sql`description`)},
      color = ${keep(change.color, sql`color`)},
      providers = ${keep(change.providers, sql`providers`, sql`::text[]`)},
      open_world = ${keep(change.openWorld, sql`open_world`)},
      sharing = ${keep(change.sharing, sql`sharing`, sql`::uuid[]`)},
      removal = ${keep(change.removal, sql`removal`)}
      where id = ${id} and client_id = ${clientId} returning ${LABEL}`)
    .catch(throwNameTaken);
  if (!row) throw labelNotFound();
  return toLabel(row);
}

/** @throws NotFound `label_not_found`. */
export async function removeLabel(
  db: Database,
  clientId: string,
  id: string,
): Promise<Label> {
  const [row] = await db.query<LabelRow>(sql`delete from users.labels label
    where id = ${id} and client_id = ${clientId} returning ${LABEL}`);
  if (!row) throw labelNotFound();
  return toLabel(row);
}

/** @returns the labels of these ids. @throws NotFound `label_not_found` where one is missing. */
export async function findLabels(
  db: Database,
  clientId: string,
  ids: readonly string[],
): Promise<Label[]> {
  const rows = await db.query<LabelRow>(sql`select ${LABEL} from users.labels label
    where id = any(${[...ids]}::uuid[]) and client_id = ${clientId}`);
  if (rows.length < new Set(ids).size) throw labelNotFound();
  return rows.map(toLabel);
}

async function countLabels(db: Database, clientId: string): Promise<number> {
  const [row] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from users.labels where client_id = ${clientId}`,
  );
  return row?.total ?? 0;
}

async function refuseUnknownGroups(
  db: Database,
  clientId: string,
  groups: readonly string[] | null,
): Promise<void> {
  if (!groups || groups.length === 0) return;
  const known = await db.query<{ id: string }>(sql`select id from users.groups
    where id = any(${[...groups]}::uuid[]) and client_id = ${clientId}`);
  if (known.length < new Set(groups).size)
    throw new BadRequest(
      "label_group_unknown",
      "A group of the rule does not exist in this organisation. Choose others.",
    );
}

export function toLabel(row: LabelRow): Label {
  return {
    ...row,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function throwNameTaken(error: unknown): never {
  if (!isUniqueViolation(error)) throw error;
  throw new Conflict(
    "label_name_taken",
    "There is a label of this name already. Choose another name.",
  );
}

function labelNotFound(): NotFound {
  return new NotFound(
    "label_not_found",
    "There is no such label. GET /api/v1/labels lists them.",
  );
}
