import { isDeepStrictEqual } from "node:util";
import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import type { StoredDocument } from "../../documents/contract-stored.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { Workers } from "../../../platform/workers/workers.ts";
import { insertWithinLimit } from "../../../platform/db/insert-within-limit.ts";
import type { User } from "../../../platform/http/caller.ts";
import {
  BadRequest,
  Conflict,
  Forbidden,
  NotFound,
} from "../../../platform/http/errors.ts";
import type { Guard } from "../../../platform/http/guard.ts";
import { type CheckFlows, flowsOf } from "../flows/check-flows.ts";
import { refuseFullTrash } from "../refuse-full-trash.ts";
import { refuseBeyondQuota, refuseManyVersions } from "../limit-versions.ts";
import type { Sharing } from "../sharing.ts";
import type { FindNames } from "../user-names.ts";
import type { Web } from "../web/web-client.ts";
import { agentFor, mayAdminister } from "./access.ts";
import type { Agent } from "./contract.ts";
import { type AgentChange, AgentDefinition, type NewAgent } from "./contract-definition.ts";
import { findFolder } from "./folders-store.ts";
import { countAgents, findAgents, insertAgent, setDeleted, updateAgent } from "./store.ts";

export interface AgentDeps {
  db: Database;
  workers: Workers;
  findNames: FindNames;
  maxAgents: number;
  maxVersions: number;
  /** Of all versions of a user's canvases and agents. */
  maxVersionsBytes: number;
  maxFolders: number;
  sharing: Sharing;
  guard: Guard;
  /** @throws NotFound for a document that the user may not see. */
  checkDocuments: (userId: string, ids: readonly string[]) => Promise<void>;
  /** @throws NotFound for a flow that the user may not run. */
  checkFlows: CheckFlows;
  /** Returns the documents that the user may see. */
  describeDocuments: (userId: string, ids: readonly string[]) => Promise<StoredDocument[]>;
  /** Absent when no web service has an address here. */
  web: Web | undefined;
}

/**
 * Creates an agent.
 * @throws BadRequest `agent_invalid`, Forbidden for an agent of the organisation by a user who is
 * no administrator, NotFound for another user's folder.
 */
export async function createAgent(
  deps: AgentDeps,
  user: User,
  { files, folderId, ...definition }: NewAgent,
): Promise<Agent> {
  await checkType(deps.guard, user, definition);
  const { db, sharing } = deps;
  const id = uuidv7();
  const { userId: ownerId, clientId } = user;
  const rows = sql`core.agents where owner_id = ${ownerId}`;
  await refuseFullTrash(db, rows, deps.maxAgents);
  await deps.checkDocuments(ownerId, documentsOf(files, definition));
  await deps.checkFlows(ownerId, flowsOf(definition));
  await refuseBeyondQuota(db, ownerId, JSON.stringify(definition), deps.maxVersionsBytes);
  await sharing.register("agent", id, ownerId);
  await insertWithinLimit(db, limitOf(deps, ownerId), async () => {
    await checkFolder(db, ownerId, folderId);
    await insertAgent(db, {
      id,
      ownerId,
      clientId,
      folderId,
      definition,
      files: unique(files),
      changedBy: ownerId,
    });
  });
  return read(db, id);
}

/**
 * Changes the named fields; the others stay. A change of any field but the folder is a new version.
 * `lockToken`: of the user's editing lock.
 * @throws Conflict `agent_changed`; what `refuseLocked` and `refuseManyVersions` throw.
 */
export async function changeAgent(
  deps: AgentDeps,
  user: User,
  id: string,
  change: AgentChange,
  lockToken?: number,
): Promise<Agent> {
  const { db } = deps;
  await checkNewFlows(deps, user, id, change);
  await db.tx(async () => {
    const { agent, clientId } = await agentFor(deps, user, id, "editor", { locked: true });
    await deps.sharing.refuseLocked("agent", id, user.userId, lockToken);
    if (change.baseVersion !== undefined && change.baseVersion !== agent.version)
      throw new Conflict(
        "agent_changed",
        `The agent was changed in the meantime: its newest version is ${agent.version}. Read it again.`,
        { params: { version: agent.version }, details: { version: agent.version } },
      );
    const before = AgentDefinition.parse(agent);
    const definition = AgentDefinition.parse({ ...agent, ...given(change) });
    if (
      !isDeepStrictEqual(before.type, definition.type) ||
      definition.type === "organization"
    )
      await checkType(deps.guard, user, definition);
    else checkFields(definition);
    const files = unique(change.files ?? agent.files);
    // files that the agent already has stay, even if the user who changes it may not see them
    const known = documentsOf(agent.files, before);
    await deps.checkDocuments(
      user.userId,
      documentsOf(files, definition).filter((one) => !known.includes(one)),
    );
    const folderId = await folderAfter(db, user, agent, change.folderId);
    const changed =
      !isDeepStrictEqual(before, definition) || !isDeepStrictEqual(files, agent.files);
    const version = agent.version + (changed ? 1 : 0);
    if (changed) {
      refuseManyVersions(version, deps.maxVersions);
      const text = JSON.stringify(definition);
      await refuseBeyondQuota(db, agent.ownerId, text, deps.maxVersionsBytes);
    }
    await updateAgent(db, {
      id,
      ownerId: agent.ownerId,
      clientId,
      folderId,
      definition,
      files,
      version,
      changed,
      changedBy: user.userId,
    });
  });
  return read(db, id);
}

/** Call it outside of a transaction, because it waits for the flow provider. */
async function checkNewFlows(
  deps: AgentDeps,
  user: User,
  id: string,
  { flowId = null, tools = [] }: AgentChange,
): Promise<void> {
  const flows = flowsOf({ flowId, tools });
  if (flows.length === 0) return;
  const known = flowsOf((await agentFor(deps, user, id, "editor")).agent);
  await deps.checkFlows(
    user.userId,
    flows.filter((flow) => !known.includes(flow)),
  );
}

/** Checks whether the user may create an agent of this type. @throws Forbidden, BadRequest. */
async function checkType(
  guard: Guard,
  user: User,
  definition: AgentDefinition,
): Promise<void> {
  if (definition.type === "system")
    throw new BadRequest(
      "agent_invalid",
      "Agents of the type system are built in. Choose another type.",
    );
  if (definition.type === "organization" && !(await mayAdminister(guard, user)))
    throw new Forbidden(
      "admin_required",
      "Only an administrator makes and changes agents of the organisation. Ask one, or " +
        "make a simple agent.",
    );
  checkFields(definition);
}

function checkFields({ type, flowId, retrieval }: AgentDefinition): void {
  if (type === "workflow" && !flowId)
    throw new BadRequest(
      "agent_invalid",
      "An agent of the type workflow needs a flowId. GET /api/v1/flowengine/flows " +
        "lists the flows.",
    );
  if (type !== "workflow" && flowId)
    throw new BadRequest(
      "agent_invalid",
      "Only an agent of the type workflow has a flowId. Leave it out, or choose that type.",
    );
  if (type !== "cortex" && type !== "organization" && retrieval)
    throw new BadRequest(
      "agent_invalid",
      "Only agents that answer from documents (cortex, organization) have retrieval " +
        "settings. Leave them out, or choose such a type.",
    );
}

export async function deleteAgent(deps: AgentDeps, user: User, id: string): Promise<void> {
  await agentFor(deps, user, id, "owner");
  await deps.sharing.refuseLocked("agent", id, user.userId);
  await setDeleted(deps.db, id, true);
}

export async function restoreAgent(
  deps: AgentDeps,
  user: User,
  id: string,
): Promise<Agent> {
  await agentFor(deps, user, id, "owner", { deleted: true });
  await insertWithinLimit(deps.db, limitOf(deps, user.userId), () =>
    setDeleted(deps.db, id, false),
  );
  return read(deps.db, id);
}

function limitOf({ db, maxAgents }: AgentDeps, ownerId: string) {
  return {
    key: `agents of ${ownerId}`,
    max: maxAgents,
    count: () => countAgents(db, ownerId),
    code: "too_many_agents",
    message: `You have ${maxAgents} agents, the most that one may have. Delete some first.`,
  };
}

async function checkFolder(
  db: Database,
  ownerId: string,
  folderId: string | null,
): Promise<void> {
  if (folderId !== null && !(await findFolder(db, ownerId, folderId)))
    throw new NotFound(
      "folder_not_found",
      "There is no such folder of yours. GET /api/v1/agent/folders lists them.",
    );
}

/**
 * Folders belong to the owner. For other users the agent stays in its folder, and a folder that
 * they name is not found.
 */
async function folderAfter(
  db: Database,
  user: User,
  agent: Agent,
  folderId: string | null | undefined,
): Promise<string | null> {
  if (folderId === undefined || folderId === agent.folderId) return agent.folderId;
  const isOwner = agent.ownerId === user.userId;
  if (!isOwner && folderId === null) return agent.folderId;
  await checkFolder(db, isOwner ? agent.ownerId : "", folderId);
  return folderId;
}

async function read(db: Database, id: string): Promise<Agent> {
  const [stored] = await findAgents(db, [id]);
  if (!stored)
    throw new NotFound(
      "agent_not_found",
      "The agent was deleted in the meantime. Restore it from the trash first.",
    );
  return stored.agent;
}

function given({ baseVersion: _, ...change }: AgentChange): Partial<NewAgent> {
  return Object.fromEntries(
    Object.entries(change).filter(([, value]) => value !== undefined),
  );
}

function documentsOf(files: readonly string[], { retrieval }: AgentDefinition): string[] {
  return unique([...files, ...(retrieval?.docIds ?? [])]);
}

function unique(files: readonly string[]): string[] {
  return [...new Set(files)];
}
