import sql, { type Sql } from "sql-template-tag";

/**
 * The ids of users who have a role in a tenant, themselves or through a group, for SQL. Users of
 * other tenants may be among them: identity providers of several tenants may name the same group.
 */
export function usersWithRole(clientId: string, role: string): Sql {
  return sql`
    with with_role as materialized (select closure.descendant_id as group_id
      from users.groups join users.group_closure closure on closure.ancestor_id = groups.id
      where groups.client_id = ${clientId} and groups.roles <> '{}' and ${role} = any(groups.roles))
    select id::text from users.users where client_id = ${clientId} and ${role} = any(roles)
    union all select user_id from users.group_members join with_role using (group_id)
    union all select identities.user_id::text from with_role
      join users.groups on groups.id = with_role.group_id
      join users.identities on groups.external_name = any(identities.groups)`;
}
