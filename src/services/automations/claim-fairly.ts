import sql, { type Sql } from "sql-template-tag";
import type { Capacity } from "../../platform/background/work-loop.ts";
import { jsonb } from "../../platform/db/jsonb.ts";

/**
 * Locks due rows, round-robin between users and at most `maxPerUser` of each. Walks from user to
 * user by an index on (user_id, due_at), so that one user's backlog does not delay others.
 * @param open the condition for open rows, as in the index.
 * @returns a statement that selects the `ctid` of each locked row.
 */
export function lockFairly(
  table: Sql,
  open: Sql,
  { free, maxPerUser, held }: Capacity,
): Sql {
  const counts = [...held].map(([userId, jobs]) => ({ user_id: userId, jobs }));
  return sql`select ctid from ${table} where ${open} and due_at <= now() and ctid = any(array(
    with recursive users as (
      (select user_id from ${table} where ${open} order by user_id limit 1)
      union all
      select (select next.user_id from ${table} next
        where next.user_id > users.user_id and ${open} order by next.user_id limit 1)
      from users where users.user_id is not null
    )
    select due.ctid from users
    left join jsonb_to_recordset(${jsonb(counts)}) as held (user_id text, jobs int) using (user_id)
    cross join lateral (
      select one.ctid, one.due_at,
        coalesce(held.jobs, 0) + row_number() over (order by one.due_at) as turn
      from (select ctid, due_at from ${table} where user_id = users.user_id and ${open}
        and due_at <= now() order by due_at limit ${maxPerUser}) one
    ) due
    where due.turn <= ${maxPerUser} order by due.turn, due.due_at limit ${free}
  )) for update skip locked`;
}
