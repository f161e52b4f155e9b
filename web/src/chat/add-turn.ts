import type { QueryClient } from "@tanstack/react-query";
import type { Conversation } from "../../../src/services/core/conversations/contract.ts";
import { meQuery } from "../shell/queries.ts";
import { newMessage } from "./new-message.ts";
import type { Accepted, Outgoing } from "./outgoing.ts";
import { conversationQuery } from "./queries.ts";

/** Puts a message and its empty reply where the page reads them, before the server is asked. */
export function addTurn(queries: QueryClient, accepted: Accepted, { body, files }: Outgoing): void {
  const { conversationId } = accepted;
  const { queryKey } = conversationQuery(conversationId);
  const known = queries.getQueryData(queryKey);
  const conversation = known ?? { ...newConversation(queries, accepted), messages: [] };
  const parentId =
    body.parentMessageId === undefined
      ? (conversation.messages.at(-1)?.id ?? null)
      : body.parentMessageId;
  const question = newMessage({
    id: accepted.userMessageId,
    conversationId,
    parentId,
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
  queries.setQueryData(queryKey, {
    ...conversation,
    messages: [...conversation.messages, question, reply],
  });
}

function newConversation(queries: QueryClient, { conversationId }: Accepted): Conversation {
  const now = new Date().toISOString();
  return {
    id: conversationId,
    title: "",
    userId: queries.getQueryData(meQuery.queryKey)?.id ?? "",
    agentId: null,
    tags: [],
    pinned: false,
    documents: [],
    createdAt: now,
    updatedAt: now,
  };
}
