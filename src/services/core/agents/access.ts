import type { User } from "../../../platform/http/caller.ts";
import type { Guard } from "../../../platform/http/guard.ts";
import type { Database } from "../../../platform/db/database.ts";
import { Forbidden, NotFound } from "../../../platform/http/errors.ts";
import { type AccessRole, isAtLeast } from "../../users/contract-sharing.ts";
import type { Sharing } from "../sharing.ts";
import type { FindNames } from "../user-names.ts";
import type { Agent, ListedAgent, VisibleAgent } from "./contract.ts";
import { findAgents, type StoredAgent } from "./store.ts";

interface Deps {
  db: Database;
  sharing: Sharing;
  guard: Pick<Guard, "allows">;
}

/** Whoever may see agents. */
type Viewer = Pick<User, "userId" | "clientId">;

/**
 * Decides what a user may do with agents. Everyone uses built-in agents and nobody changes them.
 * Members of an organisation use its agents, and those who may administer agents change them. Every
 * other agent belongs to its owner, who may share it. `list-agents.ts` says the same in SQL.
 */
async function rolesOf(
  { sharing, guard }: Deps,
  user: User,
  stored: readonly StoredAgent<ListedAgent>[],
): Promise<Map<string, AccessRole>> {
  const hasOrganization = stored.some(({ agent }) => agent.type === "organization");
  const administers = hasOrganization && (await mayAdminister(guard, user));
  return decideRoles(sharing, user, stored, administers);
}

/** Whether a user changes the agents of their organisation. */
export function mayAdminister(guard: Pick<Guard, "allows">, user: User): Promise<boolean> {
  return guard.allows("agent:administer", user);
}

async function decideRoles(
  sharing: Sharing,
  user: Viewer,
  stored: readonly StoredAgent<ListedAgent>[],
  administers: boolean,
): Promise<Map<string, AccessRole>> {
  const roles = new Map<string, AccessRole>();
  const others: string[] = [];
  for (const { agent, clientId } of stored) {
    const { id, type, ownerId } = agent;
    if (type === "system") roles.set(id, "viewer");
    else if (type === "organization" && clientId === user.clientId)
      roles.set(id, administers ? "owner" : "viewer");
    else if (ownerId === user.userId && type !== "organization") roles.set(id, "owner");
    else others.push(id);
  }
  for (const [id, role] of await sharing.rolesOf("agent", others, user.userId))
    roles.set(id, role);
  return roles;
}

/** Returns those of the agents that the user may see. */
export async function visibleAgents(
  deps: Omit<Deps, "guard">,
  user: Viewer,
  ids: readonly string[],
): Promise<Agent[]> {
  const stored = (await findAgents(deps.db, ids)).filter(
    ({ agent }) => agent.deletedAt === undefined,
  );
  const roles = await decideRoles(deps.sharing, user, stored, false);
  return stored.flatMap(({ agent }) => (roles.has(agent.id) ? [agent] : []));
}

/** Returns the agents that the user may see, with the user's role and the owner's name. */
export async function toVisibleAgents<Kind extends ListedAgent>(
  deps: Deps & { findNames: FindNames },
  user: User,
  stored: readonly StoredAgent<Kind>[],
): Promise<(Kind & Pick<VisibleAgent, "role" | "ownerName">)[]> {
  const roles = await rolesOf(deps, user, stored);
  const owners = stored.map(({ agent }) => agent.ownerId);
  const names = await deps.findNames(owners, user.clientId);
  return stored.flatMap(({ agent }) => {
    const role = roles.get(agent.id);
    return role ? [{ ...agent, role, ownerName: names.get(agent.ownerId) ?? null }] : [];
  });
}

/**
 * Returns an agent if the user has at least the needed access. Only its owner sees an agent in the
 * trash.
 * @throws NotFound `agent_not_found` when the user may not see it, Forbidden `agent_read_only`.
 */
export async function agentFor(
  deps: Deps,
  user: User,
  id: string,
  needed: AccessRole,
  { deleted = false, locked = false } = {},
): Promise<StoredAgent> {
  const [stored] = await findAgents(deps.db, [id], { locked });
  const role = stored && (await rolesOf(deps, user, [stored])).get(id);
  if (
    !stored ||
    !role ||
    (stored.agent.deletedAt !== undefined) !== deleted ||
    (deleted && role !== "owner")
  )
    throw agentNotFound();
  if (!isAtLeast(role, needed))
    throw new Forbidden("agent_read_only", reasonFor(stored.agent));
  return stored;
}

export function agentNotFound(): NotFound {
  return new NotFound(
    "agent_not_found",
    "There is no such agent that you may see. GET /api/v1/agent?scope=all lists those.",
  );
}

function reasonFor({ type }: Agent): string {
  if (type === "system")
    return "This agent is built in and cannot be changed. Make one of your own from it.";
  if (type === "organization")
    return "Agents of the organisation are changed by administrators. Ask one.";
  return "You may use this agent and not change it. Ask its owner.";
}
