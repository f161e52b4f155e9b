import type { QueryClient, InfiniteData } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { Failure, toFailure } from "../api/failure.ts";
import type { DraftFile } from "../shell/drafts.ts";
import {
  type MessageBody,
  type ReplyEvents,
  sendMessage,
  conversationQuery,
  type ThreadMessage,
  type ThreadPage,
  threadQuery,
} from "./queries.ts";
import { startFollowing } from "./replies.ts";
import { Store } from "./store.ts";
import { untilReachable } from "./until-reachable.ts";
import { meQuery } from "../shell/queries.ts";

/** A message that is on its way to the server. */
export interface Outgoing {
  /** The `Idempotency-Key` too. */
  key: string;
  /** Of the conversation, or `new`. */
  conversationKey: string;
  body: MessageBody;
  files: readonly DraftFile[];
  /** Who answers: `body` names it only where it was chosen for this message. */
  answers: { agentId?: string | null | undefined; model?: string | undefined };
  error?: Failure;
}

export interface Accepted {
  conversationId: string;
  userMessageId: string;
  messageId: string;
}

const MAX_ATTEMPTS = 20;
const outgoing = new Store<readonly Outgoing[]>([]);

export function useOutgoing(conversationKey: string): readonly Outgoing[] {
  const all = useSyncExternalStore(outgoing.subscribe, outgoing.get);
  return all.filter((one) => one.conversationKey === conversationKey);
}

/**
 * Sends a message, again where the network fails: the key makes sure that it is stored once.
 * @returns what the server made of it; `undefined` when it refused, which `error` then says.
 */
export async function send(
  queries: QueryClient,
  message: Outgoing,
): Promise<Accepted | undefined> {
  const others = outgoing.get().filter(({ key }) => key !== message.key);
  outgoing.set([...others, message]);
  const controller = new AbortController();
  for (let attempt = 0; ; attempt += 1) {
    try {
      const events = sendMessage(message.body, message.key, controller.signal);
      const { accepted, rest } = await readOpening(events);
      addTurn(queries, accepted, message);
      startFollowing(queries, accepted, { events: rest });
      discard(message.key);
      return accepted;
    } catch (error) {
      const failure = toFailure(error);
      const mayRetry = failure.status === 0 && attempt < MAX_ATTEMPTS;
      if (!mayRetry) {
        replace({ ...message, error: failure });
        return undefined;
      }
      await untilReachable(attempt, controller.signal);
    }
  }
}

export function discard(key: string): void {
  outgoing.set(outgoing.get().filter((one) => one.key !== key));
}

function replace(message: Outgoing): void {
  outgoing.set(outgoing.get().map((one) => (one.key === message.key ? message : one)));
}

/** The first event says where the message and its reply are stored; the others follow. */
export async function readOpening(
  events: ReplyEvents,
): Promise<{ accepted: Accepted; rest: ReplyEvents }> {
  const first = await events.next();
  const [opening, ...others] = first.done ? [] : first.value;
  if (opening?.event.type !== "conversation") throw noOpening();
  async function* rest(): ReplyEvents {
    yield others;
    yield* events;
  }
  return { accepted: opening.event, rest: rest() };
}

/** The stream ended before its first event: the same request may be sent again. */
function noOpening(): Failure {
  return new Failure("connection_cut", "The answer ended before it began.");
}

/** Puts a message and its empty reply where the page reads them, before the server is asked. */
function addTurn(queries: QueryClient, accepted: Accepted, outgoing: Outgoing): void {
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

function toTurn(accepted: Accepted, { body, files, answers }: Outgoing): ThreadMessage[] {
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
    model: answers.model ?? null,
    agentId: answers.agentId ?? null,
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
