import { userOf } from "../../../platform/http/caller.ts";
import { readPage, slicePage } from "../../../platform/http/page.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import type { StoredDocument } from "../../documents/contract-stored.ts";
import { agentFor, agentNotFound, toVisibleAgents, visibleAgents } from "./access.ts";
import { changeMany, itemBy } from "../change-many.ts";
import { filterRunnable } from "../flows/check-flows.ts";
import { lockTokenOf } from "../editing-locks.ts";
import { agentsContract as contract } from "./contract.ts";
import { AgentChange, WholeAgent } from "./contract-definition.ts";
import { listFolders } from "./folders-store.ts";
import {
  listAgents,
  listVersions,
  listVisibleAgents,
  readVisibleAgents,
} from "./list-agents.ts";
import {
  type AgentDeps,
  changeAgent,
  createAgent,
  deleteAgent,
  restoreAgent,
} from "./manage-agents.ts";
import { changeFolder, createFolder, deleteFolder, readTree } from "./manage-folders.ts";
import { compareVersions, restoreVersion, versionOf } from "./versions.ts";

export function agentRoutes(routes: Routes, deps: AgentDeps): void {
  listRoutes(routes, deps);
  bulkRoutes(routes, deps);
  folderRoutes(routes, deps);
  versionRoutes(routes, deps);
  routes
    .on(contract.createAgent, ({ caller, body }) => createAgent(deps, userOf(caller), body))
    .on(contract.getAgent, async ({ caller, params }) => {
      const user = userOf(caller);
      const stored = await agentFor(deps, user, params.id, "viewer");
      const [agent] = await toVisibleAgents(deps, user, [stored]);
      if (!agent) throw agentNotFound();
      return agent;
    })
    .on(contract.agentFiles, async ({ caller, params, query }) => {
      const user = userOf(caller);
      const { files } = (await agentFor(deps, user, params.id, "viewer")).agent;
      const { items: ids, ...page } = slicePage(query, files);
      const known = await deps.describeDocuments(user.userId, ids);
      return { ...page, items: ids.map((id) => describeFile(id, known)) };
    })
    .on(contract.putAgent, ({ caller, params, body, request }) =>
      changeAgent(deps, userOf(caller), params.id, body, lockTokenOf(request)),
    )
    .on(contract.patchAgent, ({ caller, params, body, request }) =>
      changeAgent(deps, userOf(caller), params.id, body, lockTokenOf(request)),
    )
    .on(contract.deleteAgent, ({ caller, params }) =>
      deleteAgent(deps, userOf(caller), params.id),
    )
    .on(contract.restoreAgent, ({ caller, params }) =>
      restoreAgent(deps, userOf(caller), params.id),
    );
}

/** Many agents at once, as their users see them. */
function listRoutes(routes: Routes, deps: AgentDeps): void {
  const { db } = deps;
  routes
    .on(contract.listAgents, ({ caller, query }) =>
      readPage(query, (limit, offset) =>
        listVisibleAgents(deps, userOf(caller), query, limit, offset),
      ),
    )
    .on(contract.resolveAgents, async ({ body: { ids, runnable, ...user } }) => {
      const agents = await visibleAgents(deps, user, ids);
      return runnable ? filterRunnable(deps, user.userId, agents) : agents;
    })
    .on(contract.multipleAgents, ({ caller, query }) =>
      readVisibleAgents(deps, userOf(caller), query.ids),
    )
    .on(contract.organizationAgents, ({ caller, query }) => {
      const narrowing = { scope: "organization" as const };
      return readPage(query, (limit, offset) =>
        listVisibleAgents(deps, userOf(caller), narrowing, limit, offset),
      );
    })
    .on(contract.agentTrash, ({ caller, query }) => {
      const filter = { ownerId: userOf(caller).userId, deleted: true };
      return readPage(query, async (limit, offset) => {
        const { items, total } = await listAgents(db, filter, limit, offset);
        return { items: items.map(({ agent }) => agent), total };
      });
    });
}

/** Changes of many agents, each with its own outcome. */
function bulkRoutes(routes: Routes, deps: AgentDeps): void {
  routes
    .on(contract.deleteAgents, ({ caller, body, log }) =>
      changeMany(
        body.ids.map((id) => ({ id })),
        log,
        ({ id }) => deleteAgent(deps, userOf(caller), id),
      ),
    )
    .on(contract.putAgents, ({ caller, body, log }) =>
      changeMany(body.items, log, (item) =>
        changeAgent(deps, userOf(caller), item.id, itemBy(WholeAgent, item)),
      ),
    )
    .on(contract.patchAgents, ({ caller, body, log }) =>
      changeMany(body.items, log, (item) =>
        changeAgent(deps, userOf(caller), item.id, itemBy(AgentChange, item)),
      ),
    );
}

/** A user's folders of agents. */
function folderRoutes(routes: Routes, deps: AgentDeps): void {
  const { db } = deps;
  routes
    .on(contract.agentTree, ({ caller, query }) =>
      readTree(db, userOf(caller).userId, query.agents),
    )
    .on(contract.listFolders, ({ caller, query }) =>
      readPage(query, (limit, offset) =>
        listFolders(db, userOf(caller).userId, limit, offset),
      ),
    )
    .on(contract.createFolder, ({ caller, body }) =>
      createFolder(deps, userOf(caller).userId, body),
    )
    .on(contract.changeFolder, ({ caller, params, body }) =>
      changeFolder(db, userOf(caller).userId, params.id, body),
    )
    .on(contract.deleteFolder, ({ caller, params }) =>
      deleteFolder(db, userOf(caller).userId, params.id),
    );
}

/** The versions of an agent. */
function versionRoutes(routes: Routes, deps: AgentDeps): void {
  const { db } = deps;
  routes
    .on(contract.listVersions, async ({ caller, params, query }) => {
      await agentFor(deps, userOf(caller), params.id, "viewer");
      return readPage(query, (limit, offset) => listVersions(db, params.id, limit, offset));
    })
    .on(contract.diffVersions, async ({ caller, params, query, signal }) => {
      const user = userOf(caller);
      const from = await versionOf(deps, user, params.id, query.from);
      const to = await versionOf(deps, user, params.id, query.to);
      const options = { userId: user.userId, signal };
      return { changes: await compareVersions(deps.workers, from, to, options) };
    })
    .on(contract.getVersion, ({ caller, params }) =>
      versionOf(deps, userOf(caller), params.id, params.version),
    )
    .on(contract.restoreVersion, ({ caller, params }) =>
      restoreVersion(deps, userOf(caller), params.id, params.version),
    );
}

function describeFile(id: string, known: readonly StoredDocument[]) {
  const file = known.find((each) => each.id === id);
  const { fileName = null, mimeType = null, size = null } = file ?? {};
  return { id, fileName, mimeType, size };
}
