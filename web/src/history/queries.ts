import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { RouteInput, RouteOk } from "../../../src/platform/http/route.ts";
import { agentsContract } from "../../../src/services/core/agents/contract.ts";
import { conversationsContract } from "../../../src/services/core/conversations/contract.ts";
import type { Conversation } from "../../../src/services/core/conversations/contract-messages.ts";
import { call } from "../api/call.ts";
import { urlOf } from "../api/request.ts";
import { pagedQuery } from "../shell/paged.ts";
import { useChange } from "../shell/use-change.ts";
import { notify } from "../ui/notices.tsx";
import { wordAgent } from "../texts/built-in-agents.ts";
import { useHistoryTexts } from "./texts.ts";

const PAGE = 50;
const MAX_TAGS = 100;
const MAX_AGENTS = 100;

/** The filters of the list. */
export interface Search {
  /** Words of titles and messages. */
  q?: string | undefined;
  tag?: string | undefined;
}

/** A conversation in a list: with the words that were found, or those of its newest message. */
export type Entry = Conversation & { snippet?: string; words?: string };
export type Tag = RouteOk<typeof conversationsContract.tags>["items"][number];
export type Agent = RouteOk<typeof agentsContract.multipleAgents>[number];
export type ConversationChange = RouteInput<typeof conversationsContract.change>["body"];

/** All conversations, or the best matches of a search. */
export function conversationsQuery({ q, tag }: Search) {
  const isSearch = q !== undefined || tag !== undefined;
  return pagedQuery<Entry>({
    queryKey: ["conversations", "history"],
    filter: [q, tag],
    load: (page, signal, cursor) =>
      isSearch
        ? call(
            conversationsContract.search,
            { query: { page, limit: PAGE, query: q, tags: tag } },
            { signal },
          )
        : call(
            conversationsContract.chatHistory,
            { query: { limit: PAGE, cursor, words: "true" } },
            { signal },
          ),
    keyOf: ({ id }) => id,
  });
}

/** The agents of these conversations that the reader may see, by their ids. */
export function agentsQuery(ids: readonly string[]) {
  const asked = [...new Set(ids)].toSorted().slice(0, MAX_AGENTS);
  return queryOptions({
    queryKey: ["agents", "of-history", asked],
    async queryFn({ signal }) {
      const query = { ids: asked.join(",") };
      const agents = await call(agentsContract.multipleAgents, { query }, { signal });
      return new Map(agents.map(wordAgent).map((agent) => [agent.id, agent]));
    },
    enabled: asked.length > 0,
    placeholderData: keepPreviousData,
  });
}

export const trashQuery = pagedQuery({
  queryKey: ["conversations", "trash"],
  load: (page, signal) =>
    call(conversationsContract.trash, { query: { page, limit: PAGE } }, { signal }),
  keyOf: ({ id }) => id,
});

export const agentTrashQuery = pagedQuery({
  queryKey: ["agents", "trash"],
  load: (page, signal) =>
    call(agentsContract.agentTrash, { query: { page, limit: PAGE } }, { signal }),
  keyOf: ({ id }) => id,
});

export const tagsQuery = queryOptions({
  queryKey: ["conversations", "tags"],
  queryFn: ({ signal }) =>
    call(conversationsContract.tags, { query: { limit: MAX_TAGS } }, { signal }),
});

export function changeConversation(conversationId: string, body: ConversationChange) {
  return call(conversationsContract.change, { params: { conversationId }, body });
}

export function deleteConversation(conversationId: string) {
  return call(conversationsContract.remove, { params: { conversationId } });
}

export function restoreConversation(conversationId: string) {
  return call(conversationsContract.restore, { params: { conversationId } });
}

export function restoreAgent(id: string) {
  return call(agentsContract.restoreAgent, { params: { id } });
}

export function purgeConversation(conversationId: string) {
  return call(conversationsContract.purge, { params: { conversationId } });
}

export function exportAddress(conversationId: string, format: "md" | "json"): string {
  const { path } = conversationsContract.export;
  return urlOf(path, { params: { conversationId }, query: { format } });
}

export const CONVERSATION_LISTS = ["conversations"];

/** Changes conversations, then reads the lists again. */
export function useListChange<Input = void, Output = unknown>(
  run: (input: Input) => Promise<Output>,
  onDone?: () => void,
) {
  return useChange({ run, keys: [CONVERSATION_LISTS], onDone });
}

/** Changes title, pin or tags. */
export function useConversationChange(id: string, onDone?: () => void) {
  return useChange({
    run: (change: ConversationChange) => changeConversation(id, change),
    keys: [CONVERSATION_LISTS, ["conversation", id]],
    onDone,
  });
}

interface RemovalOptions {
  onDeleted?: (() => void | Promise<void>) | undefined;
  onRestored?: (() => void | Promise<void>) | undefined;
}

/** Puts a conversation into the trash, from where it can be taken back. */
export function useRemoval(
  id: string,
  { onDeleted, onRestored }: RemovalOptions,
): () => void {
  const texts = useHistoryTexts();
  const restore = useListChange(async () => {
    await restoreConversation(id);
    await onRestored?.();
  });
  const remove = useListChange(
    async () => {
      await deleteConversation(id);
      await onDeleted?.();
    },
    () => notify(texts.deleted, () => restore.mutate()),
  );
  return () => remove.mutate();
}
