import sql, { join, type Sql } from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import type { Database } from "../../../platform/db/database.ts";
import { isUniqueViolation } from "../../../platform/db/errors.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import type { ScimClient } from "../../../platform/http/caller.ts";
import { Conflict } from "../../../platform/http/errors.ts";
import { applyChange } from "../accounts/manage-users.ts";
import { insertUser, lockActiveAdmins, updateUser } from "../accounts/users-store.ts";
import { actorOf, recordEvent } from "../audit/record-event.ts";
import type { ScimQuery } from "../contract-scim.ts";
import type { SessionDeps } from "../sign-in/sessions.ts";
import { uuidOrNull } from "../user-id.ts";
import { adoptAccounts } from "./adopt-accounts.ts";
import { pageOfQuery } from "./answers.ts";
import { USER } from "./attributes.ts";
import { notFound } from "./discovery.ts";
import { parseFilter } from "./filter.ts";
import { type Columns, toCondition } from "./filter-to-sql.ts";
import { applyChanges, type Operation, readOperations } from "./patch.ts";
import {
  type DescribedAccount,
  type ScimUserRow,
  toAccount,
  toResource,
} from "./user-resource.ts";
import { readResource, type Resource } from "./values.ts";

/** Accounts that an identity provider reads and changes. */

const SELECTED = sql`id, coalesce(user_name, email) as "userName", external_id as "externalId",
  email, name, disabled, scim, created_at as "createdAt", updated_at as "updatedAt"`;

const nameColumn = (part: string) => sql`lower(scim -> 'name' ->> ${part}::text)`;
const COLUMNS: Columns = {
  // the expressions of the unique indexes
  username: { kind: "text", column: sql`lower(coalesce(user_name, email))` },
  "emails.value": { kind: "text", column: sql`lower(email)` },
  emails: { kind: "text", column: sql`lower(email)` },
  "emails.type": { kind: "text", column: sql`'work'` },
  "emails.primary": { kind: "boolean", column: sql`true` },
  externalid: { kind: "exact", column: sql`external_id` },
  id: { kind: "equals", condition: (id) => sql`id = ${uuidOrNull(id)}::uuid` },
  displayname: { kind: "text", column: sql`lower(name)` },
  "name.formatted": { kind: "text", column: nameColumn("formatted") },
  "name.givenname": { kind: "text", column: nameColumn("givenName") },
  "name.familyname": { kind: "text", column: nameColumn("familyName") },
  active: { kind: "boolean", column: sql`(not disabled)` },
  "meta.created": { kind: "time", column: sql`created_at` },
  "meta.lastmodified": { kind: "time", column: sql`updated_at` },
};

export async function listScimUsers(
  db: Database,
  { clientId }: ScimClient,
  query: ScimQuery,
): Promise<{ rows: ScimUserRow[]; total: number; startIndex: number }> {
  const conditions: Sql[] = [sql`client_id = ${clientId}`];
  if (query.filter !== undefined && query.filter.trim() !== "")
    conditions.push(toCondition(USER, COLUMNS, parseFilter(query.filter)));
  const where = join(conditions, " and ");
  const { startIndex, offset, limit } = pageOfQuery(query);
  const rows = await db.query<ScimUserRow>(sql`select ${SELECTED} from users.users
    where ${where} order by id limit ${limit} offset ${offset}`);
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from users.users where ${where}`,
  );
  return { rows, total: count?.total ?? 0, startIndex };
}

/** @throws NotFound `scim_not_found`. */
export async function findScimUser(
  db: Database,
  { clientId }: ScimClient,
  id: string,
  lock: Sql = sql``,
): Promise<ScimUserRow> {
  const [row] = await db.query<ScimUserRow>(sql`select ${SELECTED} from users.users
    where id = ${uuidOrNull(id)}::uuid and client_id = ${clientId} ${lock}`);
  if (!row) throw notFound();
  return row;
}

/** @throws Conflict `scim_user_exists`, and what `toAccount` throws. */
export async function createScimUser(
  db: Database,
  client: ScimClient,
  body: unknown,
): Promise<ScimUserRow> {
  const account = toAccount(readResource(USER, body));
  const { email, name, disabled, userName, externalId } = account;
  return db
    .tx(async () => {
      const { id, roles } = await insertUser(db, {
        id: uuidv7(),
        clientId: client.clientId,
        email,
        name,
        roles: ["user"],
        passwordHash: null,
      });
      if (disabled) await updateUser(db, id, { disabled });
      await storeWords(db, id, account);
      await recordEvent(db, actorOf(client), {
        action: "user.created",
        resourceType: "user",
        resourceId: id,
        details: { email, roles, userName, externalId },
      });
      return findScimUser(db, client, id);
    })
    .catch(throwTaken);
}

/** Replaces what is kept of a user. Without `active` the state stays. */
export function replaceScimUser(
  deps: SessionDeps,
  client: ScimClient,
  id: string,
  body: unknown,
): Promise<ScimUserRow> {
  const resource = readResource(USER, body);
  return changeScimUser(deps, client, id, resource["active"] === false, () => resource);
}

export function patchScimUser(
  deps: SessionDeps,
  client: ScimClient,
  id: string,
  operations: readonly Operation[],
): Promise<ScimUserRow> {
  const changes = readOperations(USER, operations);
  const mayDisable = changes.some(({ attribute }) => attribute.name === "active");
  return changeScimUser(deps, client, id, mayDisable, (resource) =>
    applyChanges(resource, changes),
  );
}

async function changeScimUser(
  deps: SessionDeps,
  client: ScimClient,
  id: string,
  mayDisable: boolean,
  change: (resource: Resource) => Resource,
): Promise<ScimUserRow> {
  const { db, revocations } = deps;
  const changed = await db
    .tx(async () => {
      // in the order of refuseLastAdmin, so that two transactions do not wait for each other
      if (mayDisable) await lockActiveAdmins(db, client.clientId);
      const current = await findScimUser(db, client, id, sql`for update`);
      await adoptAccounts(db, [current.id], actorOf(client));
      await store(db, client, current, toAccount(change(toResource(current))));
      return findScimUser(db, client, id);
    })
    .catch(throwTaken);
  await revocations.refresh();
  return changed;
}

async function store(
  db: Database,
  client: ScimClient,
  current: ScimUserRow,
  { email, name, disabled, ...words }: DescribedAccount,
): Promise<void> {
  const { id } = current;
  const fields = {
    ...(email !== current.email && { email }),
    ...(name !== current.name && { name }),
    ...(disabled !== undefined && disabled !== current.disabled && { disabled }),
  };
  // identity providers repeat what they said, which is no change
  if (Object.keys(fields).length > 0) await applyChange(db, id, fields, actorOf(client));
  const { userName, externalId } = words;
  const names = {
    ...(userName !== current.userName && { userName }),
    ...(externalId !== current.externalId && { externalId }),
  };
  if (Object.keys(names).length > 0)
    await recordEvent(db, actorOf(client), {
      action: "user.changed",
      resourceType: "user",
      resourceId: id,
      details: names,
    });
  const isSame =
    Object.keys(names).length === 0 &&
    JSON.stringify(current.scim) === JSON.stringify(words.scim);
  if (!isSame) await storeWords(db, id, words);
}

type Words = Pick<DescribedAccount, "userName" | "externalId" | "scim">;

async function storeWords(
  db: Database,
  id: string,
  { userName, externalId, scim }: Words,
): Promise<void> {
  await db.query(sql`update users.users set user_name = ${userName},
    external_id = ${externalId}, scim = ${jsonb(scim)}, updated_at = now() where id = ${id}`);
}

function throwTaken(error: unknown): never {
  throw isUniqueViolation(error)
    ? new Conflict(
        "scim_user_exists",
        'Another user has this userName or email. Find it by filter=userName eq "…".',
      )
    : error;
}
