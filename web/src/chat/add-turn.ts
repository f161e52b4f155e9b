import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import { meQuery } from "../shell/queries.ts";
import type { Accepted, Outgoing } from "./outgoing.ts";
import {
  conversationQuery,
  type ThreadMessage,
  type ThreadPage,
  threadQuery,
} from "./queries.ts";

/** Puts a message and its empty reply where the page reads them, before the server is asked. */
export function addTurn(
  queries: QueryClient,
  accepted: Accepted,
  outgoing: Outgoing,
): void {
  const { conversationId } = accepted;
  const { queryKey } = threadQuery(conversationId);
  const { queryKey: conversationKey } = conversationQuery(conversationId);
  if (!queries.getQueryData(conversationKey)) {
    queries.setQueryData(conversationKey, newConversation(queries, conversationId));
  }
  const turn = toTurn(accepted, outgoing);
  const parentId = outgoing.body.parentMessageId ?? null;
  queries.setQueryData(queryKey, (known) => withTurn(known, parentId, turn));
}

type Pages = InfiniteData<ThreadPage, unknown>;

/** The newest page with the turn below its parent. Another branch is read again anyway. */
function withTurn(
  known: Pages | undefined,
  parentId: string | null,
  turn: ThreadMessage[],
): Pages {
  const [newest, ...above] = known?.pages ?? [];
  const items = newest?.items ?? [];
  const at = items.findIndex(({ id }) => id === parentId);
  const page: ThreadPage = {
    items: [...items.slice(0, at + 1), ...turn],
    leaf: turn.at(-1)?.id ?? null,
    before: at < 0 ? null : (newest?.before ?? null),
  };
  if (at < 0) return { pages: [page], pageParams: [{}] };
  return { pages: [page, ...above], pageParams: known?.pageParams ?? [{}] };
}

function toTurn(accepted: Accepted, { body, files }: Outgoing): ThreadMessage[] {
  const { conversationId } = accepted;
  const question = newMessage({
    id: accepted.userMessageId,
    conversationId,
    parentId: body.parentMessageId ?? null,
    role: "user",
    content: body.content,
    files: files.flatMap(({ documentId, name, size, type }) =>
      documentId ? [{ id: documentId, fileName: name, size, mimeType: type }] : [],
    ),
  });
  const reply = newMessage({
    id: accepted.messageId,
    conversationId,
    parentId: question.id,
    role: "assistant",
    status: "streaming",
    model: body.model ?? null,
    agentId: body.agentId ?? null,
  });
  return [question, reply];
}

function newConversation(queries: QueryClient, id: string) {
  const now = new Date().toISOString();
  return {
    id,
    title: "",
    userId: queries.getQueryData(meQuery.queryKey)?.id ?? "",
    agentId: null,
    tags: [],
    pinned: false,
    documents: [],
    createdAt: now,
    updatedAt: now,
    messages: [],
  };
}

type Required = "id" | "conversationId" | "parentId" | "role";

/** A message as the server will list it, before it is asked. */
function newMessage(
  given: Pick<ThreadMessage, Required> & Partial<ThreadMessage>,
): ThreadMessage {
  return {
    content: "",
    reasoning: "",
    status: "complete",
    agentId: null,
    agentVersion: null,
    model: null,
    toolCalls: [],
    waiting: [],
    sources: [],
    canvases: [],
    files: [],
    usage: null,
    reaction: null,
    finishReason: null,
    error: null,
    siblings: [given.id],
    position: 0,
    siblingCount: 1,
    createdAt: new Date().toISOString(),
    ...given,
  };
}
