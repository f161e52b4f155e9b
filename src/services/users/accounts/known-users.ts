import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { uuidOrNull } from "../user-id.ts";
import { rolesOfGroups } from "../groups/roles-of-groups.ts";
import type { SeenUser } from "../contract-known-users.ts";

interface Seen {
  userId: string;
  clientId: string;
  email: string;
  name: string;
  /** Absent for a token that does not speak for the issuer: the roles stay. */
  roles?: string[] | undefined;
}

const UNKNOWN: SeenUser = { active: false, clientId: null, email: "", name: "", roles: [] };

export async function standingOf(db: Database, userId: string): Promise<SeenUser> {
  const { absent: _, ...user } = await standingNow(db, userId, 0);
  return user;
}

type StandingNow = SeenUser & { absent: boolean };

/**
 * The same, and whether the issuer of the user's tokens has named the user in none for this long.
 */
export async function standingNow(
  db: Database,
  userId: string,
  maxAbsenceMs: number,
): Promise<StandingNow> {
  const [standing] = await standingsNow(db, [userId], maxAbsenceMs);
  return standing ?? { ...UNKNOWN, absent: false };
}

/**
 * The same of many users, in the order of their ids. All replies in progress ask for it together,
 * so it is one query.
 */
export async function standingsNow(
  db: Database,
  userIds: readonly string[],
  maxAbsenceMs: number,
): Promise<StandingNow[]> {
  const rows = await db.query<StandingNow & { id: string }>(
    sql`
    select known.id, state = 'active' as active, known.client_id as "clientId", known.email, known.name,
      own.roles || ${rolesOfGroups(sql`known.id`, sql`known.client_id`, sql`own.roles`)} as roles,
      known.is_external and known.token_at < now() - ${maxAbsenceMs} * interval '1 millisecond'
        as absent
    from unnest(${[...userIds]}::text[], ${userIds.map(uuidOrNull)}::uuid[]) as asked (id, uuid)
      join users.known_users known on known.id = asked.id
      left join users.users on users.id = asked.uuid
      cross join lateral (select coalesce(users.roles, known.roles) as roles) own`,
    { name: "users-standings" },
  );
  const found = new Map(rows.map(({ id, ...standing }) => [id, standing]));
  return userIds.map((id) => found.get(id) ?? { ...UNKNOWN, absent: false });
}

/**
 * Records a user of another issuer. A user's tenant is that of the first token: a change of tenant
 * would carry resources of the first tenant over.
 */
export async function seeUser(
  db: Database,
  { userId, clientId, email, name, roles }: Seen,
) {
  return db.tx(async () => {
    const added = await db.query(sql`
      insert into users.known_users (id, client_id, email, name, roles, is_external)
        values (${userId}, ${clientId}, ${email}, ${name}, ${roles ?? []}, true) on conflict (id) do nothing
        returning id`);
    if (added.length > 0)
      // resources that were registered before their owner was known
      await db.query(
        sql`update users.features set client_id = ${clientId} where owner_id = ${userId}`,
      );
    else
      await db.query(sql`update users.known_users set email = ${email}, name = ${name},
        roles = coalesce(${roles ?? null}::text[], roles),
        token_at = case when ${roles === undefined} then token_at else now() end
        where id = ${userId} and is_external and client_id = ${clientId} and state = 'active'`);
    return standingOf(db, userId);
  });
}

/** Names and emails of known users by id; with `clientId`, only users of that tenant. */
export async function findNames(
  db: Database,
  ids: readonly string[],
  clientId: string | null,
) {
  return db.query<{ id: string; name: string; email: string }>(sql`
    select id, name, email from users.known_users
    where id = any(${[...ids]}) and state <> 'deleted'
    and (${clientId}::text is null or client_id = ${clientId})
    order by id`);
}
