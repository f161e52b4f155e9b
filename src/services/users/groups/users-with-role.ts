import sql, { type Sql } from "sql-template-tag";

/** The ids of users who have a role in a tenant, themselves or through a group, for SQL. */
export function usersWithRole(clientId: string, role: string): Sql {
  return sql`
    select id::text from users.users where client_id = ${clientId} and ${role} = any(roles)
    union all select user_id from users.memberships where group_id = any(array(
      select closure.descendant_id
      from users.groups join users.group_closure closure on closure.ancestor_id = groups.id
      where groups.client_id = ${clientId} and groups.roles <> '{}'
        and ${role} = any(groups.roles)))`;
}
