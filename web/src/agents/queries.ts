import { queryOptions } from "@tanstack/react-query";
import type { RouteInput, RouteOk } from "../../../src/platform/http/route.ts";
import {
  agentsContract,
  type AgentScope,
  type TreeFolder,
  type VisibleAgent,
  type VisibleListedAgent,
} from "../../../src/services/core/agents/contract.ts";
import type { NewAgent } from "../../../src/services/core/agents/contract-definition.ts";
import { documentsContract } from "../../../src/services/documents/contract.ts";
import { toolsetsContract } from "../../../src/services/core/tools/contract.ts";
import { flowsContract } from "../../../src/services/integrations/contract-flows.ts";
import { toolGatewayContract } from "../../../src/services/tool-gateway/contract.ts";
import { personalContract } from "../../../src/services/users/contract-personal.ts";
import { call } from "../api/call.ts";
import { type Failure, toReportedFailure } from "../api/failure.ts";
import { listAgents } from "../shell/agent-queries.ts";
import { pagedQuery } from "../shell/paged.ts";
import { wordAgent } from "../texts/built-in-agents.ts";
import { useChange } from "../shell/use-change.ts";
import {
  type ConversationEvent,
  repliesContract,
} from "../../../src/services/core/replies/contract.ts";
import { newId } from "../api/new-id.ts";
import { stream, type Streamed } from "../api/stream.ts";

export type { TreeFolder, VisibleAgent, VisibleListedAgent };
export type Toolset = RouteOk<typeof toolsetsContract.listToolsets>["items"][number];
/** The fields of an agent that a user edits. */
export type AgentFields = NewAgent;
export type AgentChange = RouteInput<typeof agentsContract.patchAgent>["body"];
export type Version = RouteOk<typeof agentsContract.listVersions>["items"][number];
export type FieldChange = RouteOk<typeof agentsContract.diffVersions>["changes"][number];

type BulkResults = RouteOk<typeof agentsContract.deleteAgents>;
/** The agents that were not changed, by their ids. */
type Refusals = ReadonlyMap<string, Failure>;

/** The most that one call changes. */
export const MAX_AGENTS_PER_CALL = 100;
const PAGE = 50;
const LIST = { limit: 100 };
const MINUTE_MS = 60_000;
const FAVORITE = "agent";

/** The agents of a list: all that the user may use, or those of one folder. */
export interface Place {
  scope: AgentScope;
  folderId?: string | undefined;
}

export function agentsQuery({ scope, folderId }: Place, query: string | undefined) {
  return pagedQuery({
    queryKey: ["agents", "list", scope, folderId ?? ""],
    filter: [query],
    load: (page, signal) =>
      listAgents({ page, limit: PAGE, scope, folderId, query }, signal),
    keyOf: ({ id }) => id,
  });
}

export const foldersQuery = queryOptions({
  queryKey: ["agents", "folders"],
  queryFn: ({ signal }) =>
    call(agentsContract.agentTree, { query: { agents: "none" } }, { signal }),
});

/** The ids of the user's favourites, the newest first. */
export const favoritesQuery = queryOptions({
  queryKey: ["favorites", FAVORITE],
  queryFn: async ({ signal }) => {
    const query = { ...LIST, resourceType: FAVORITE };
    const { items } = await call(personalContract.listFavorites, { query }, { signal });
    return items.map(({ resourceId }) => resourceId);
  },
});

export function agentsByIdQuery(ids: readonly string[]) {
  return queryOptions({
    queryKey: ["agents", "by-id", ids],
    async queryFn({ signal }) {
      const query = { ids: ids.join(",") };
      const agents = await call(agentsContract.multipleAgents, { query }, { signal });
      return agents.map(wordAgent);
    },
    enabled: ids.length > 0,
  });
}

export function agentQuery(id: string) {
  return queryOptions({
    queryKey: ["agent", id],
    queryFn: async ({ signal }) =>
      wordAgent(await call(agentsContract.getAgent, { params: { id } }, { signal })),
  });
}

export function agentFilesQuery(id: string) {
  return queryOptions({
    queryKey: ["agent", id, "files"],
    queryFn: ({ signal }) =>
      call(agentsContract.agentFiles, { params: { id }, query: LIST }, { signal }),
  });
}

export function versionsQuery(id: string) {
  return pagedQuery({
    queryKey: ["agent", id, "versions"],
    load: (page, signal) =>
      call(
        agentsContract.listVersions,
        { params: { id }, query: { page, limit: PAGE } },
        { signal },
      ),
    keyOf: ({ version }) => String(version),
  });
}

export function diffQuery(id: string, from: number, to: number) {
  return queryOptions({
    queryKey: ["agent", id, "diff", from, to],
    queryFn: ({ signal }) =>
      call(
        agentsContract.diffVersions,
        { params: { id }, query: { from, to } },
        { signal },
      ),
    staleTime: Infinity,
  });
}

/** Names of the people who changed something. */
export function namesQuery(ids: readonly string[]) {
  const unique = [...new Set(ids)].filter(Boolean).toSorted();
  return queryOptions({
    queryKey: ["user-names", unique],
    queryFn: async ({ signal }) => {
      const query = { ids: unique.join(",") };
      const { items } = await call(personalContract.userInfo, { query }, { signal });
      return new Map(items.map(({ id, name }) => [id, name]));
    },
    enabled: unique.length > 0,
    staleTime: MINUTE_MS,
  });
}

/** The abilities that a model gets by name. */
export const toolsetsQuery = queryOptions({
  queryKey: ["toolsets"],
  queryFn: async ({ signal }) => {
    const { items } = await call(
      toolsetsContract.listToolsets,
      { query: LIST },
      { signal },
    );
    return items.filter(({ unasked, tools }) => !unasked && tools.length > 0);
  },
  staleTime: MINUTE_MS,
});

export function toolsQuery(query: string | undefined) {
  return pagedQuery({
    queryKey: ["tools"],
    filter: [query],
    load: (page, signal) =>
      call(
        toolGatewayContract.listOfferedTools,
        { query: { page, limit: PAGE, query } },
        { signal },
      ),
    keyOf: ({ name }) => name,
  });
}

export function documentsQuery(query: string | undefined) {
  return pagedQuery({
    queryKey: ["documents", "to-choose"],
    filter: [query],
    load: (page, signal) =>
      call(documentsContract.list, { query: { page, limit: PAGE, query } }, { signal }),
    keyOf: ({ id }) => id,
  });
}

export const flowsQuery = pagedQuery({
  queryKey: ["flows", "to-choose"],
  load: (page, signal) =>
    call(flowsContract.listFlows, { query: { page, limit: PAGE } }, { signal }),
  keyOf: ({ id }) => id,
});

export function createAgent(body: AgentFields) {
  return call(agentsContract.createAgent, { body });
}

export function changeAgent(id: string, body: AgentChange) {
  return call(agentsContract.patchAgent, { params: { id }, body });
}

export function restoreVersion(id: string, version: number) {
  return call(agentsContract.restoreVersion, { params: { id, version } });
}

export async function deleteAgents(ids: string[]): Promise<Refusals> {
  return toRefusals(await call(agentsContract.deleteAgents, { body: { ids } }));
}

export async function restoreAgents(ids: readonly string[]): Promise<void> {
  for (const id of ids) await call(agentsContract.restoreAgent, { params: { id } });
}

export async function moveAgents(
  ids: readonly string[],
  folderId: string | null,
): Promise<Refusals> {
  const items = ids.map((id) => ({ id, folderId }));
  return toRefusals(await call(agentsContract.patchAgents, { body: { items } }));
}

function toRefusals({ results }: BulkResults): Refusals {
  const failed = results.filter(({ success }) => !success);
  return new Map(
    failed.map(({ id, code = "internal_error", error = "", params }) => [
      id,
      toReportedFailure({ code, error, params }),
    ]),
  );
}

export function setFavorite(resourceId: string, isFavorite: boolean) {
  const route = isFavorite ? personalContract.addFavorite : personalContract.removeFavorite;
  return call(route, { params: { resourceType: FAVORITE, resourceId }, query: {} });
}

export function createFolder(name: string, parentId: string | null) {
  return call(agentsContract.createFolder, { body: { name, parentId } });
}

export function changeFolder(
  id: string,
  change: { name?: string; parentId?: string | null },
) {
  return call(agentsContract.changeFolder, { params: { id }, body: change });
}

export function deleteFolder(id: string) {
  return call(agentsContract.deleteFolder, { params: { id } });
}

export const AGENT_KEYS = [["agents"], ["agent"]];

/** Changes agents or their folders, then refreshes the affected queries. */
export function useAgentChange<Input = void, Output = unknown>(
  run: (input: Input) => Promise<Output>,
  onDone?: (output: Output) => void,
) {
  return useChange({ run, keys: AGENT_KEYS, onDone });
}

/** Changes favourites, then reads them again. */
export function useFavoriteChange(run: () => Promise<unknown>) {
  return useChange({ run, keys: [favoritesQuery.queryKey, ["agents", "to-ask"]] });
}

export type AnswerEvents = AsyncGenerator<Streamed<ConversationEvent>[]>;

interface VersionQuestion {
  agentId: string;
  agentVersion: number;
  content: string;
}

/** Asks a version of an agent, in a new conversation. */
export function askVersion(body: VersionQuestion, signal: AbortSignal): AnswerEvents {
  const headers = { "idempotency-key": newId() };
  return stream(repliesContract.send, { body }, { headers, signal });
}

interface Again extends Omit<VersionQuestion, "content"> {
  conversationId: string;
  /** The question. */
  messageId: string;
}

/** Asks the same question again: the answer stands beside the first one. */
export function askVersionAgain(
  { conversationId, ...body }: Again,
  signal: AbortSignal,
): AnswerEvents {
  const headers = { "idempotency-key": newId() };
  return stream(
    repliesContract.regenerate,
    { params: { conversationId }, body },
    { headers, signal },
  );
}

export function stopAnswer(conversationId: string, messageId: string) {
  return call(repliesContract.stop, { params: { conversationId }, body: { messageId } });
}
