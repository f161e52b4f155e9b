import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { agentsContract } from "../../../src/services/core/agents/contract.ts";
import { approvalsContract } from "../../../src/services/core/approvals/contract.ts";
import { canvasContract } from "../../../src/services/core/canvas/contract.ts";
import { conversationsContract } from "../../../src/services/core/conversations/contract.ts";
import {
  type ConversationEvent,
  repliesContract,
} from "../../../src/services/core/replies/contract.ts";
import { templatesContract } from "../../../src/services/core/templates/contract.ts";
import { personalContract } from "../../../src/services/users/contract-personal.ts";
import { documentsContract } from "../../../src/services/documents/contract.ts";
import { toolGatewayContract } from "../../../src/services/tool-gateway/contract.ts";
import type { RouteInput, RouteOk } from "../../../src/platform/http/route.ts";
import { colourAhead } from "../markdown/colour-ahead.ts";
import { call } from "../api/call.ts";
import { wordAgent } from "../texts/built-in-agents.ts";
import { currentLanguage } from "../texts/language.ts";
import { stream, type Streamed } from "../api/stream.ts";
import { upload, type UploadOptions } from "../api/upload.ts";

const LIST = { limit: 100 };
const PAGE_MESSAGES = 50;
const MINUTE_MS = 60_000;

export type MessageBody = RouteInput<typeof repliesContract.send>["body"];
export type ReplyEvents = AsyncGenerator<Streamed<ConversationEvent>[]>;

export type ThreadPage = RouteOk<typeof conversationsContract.messages>;
/** A message on the branch that is shown, with the versions beside it. */
export type ThreadMessage = ThreadPage["items"][number];

/** A conversation without its messages. */
export function conversationQuery(conversationId: string) {
  const input = { params: { conversationId }, query: { messages: "none" as const } };
  return queryOptions({
    queryKey: ["conversation", conversationId],
    queryFn: ({ signal }) => call(conversationsContract.get, input, { signal }),
  });
}

/** Where the page above ends, on the branch that the first page named. */
interface Above {
  leaf?: string | undefined;
  before?: string | undefined;
}

/** Messages whose code is coloured before they are drawn: those in sight. */
const AHEAD = 4;

/**
 * The messages of a branch, page by page upwards.
 * @param leaf any message of the branch. Absent: the branch of the newest message.
 */
export function threadQuery(conversationId: string, leaf?: string) {
  return infiniteQueryOptions({
    queryKey: ["conversation", conversationId, "messages", leaf ?? null],
    async queryFn({ signal, pageParam }) {
      const page = await readPage(conversationId, pageParam, signal);
      if (pageParam.before === undefined)
        colourAhead(page.items.slice(-AHEAD).map(({ content }) => content));
      return page;
    },
    initialPageParam: { leaf } as Above,
    getNextPageParam: (page): Above | undefined =>
      page.before === null
        ? undefined
        : { leaf: page.leaf ?? undefined, before: page.before },
  });
}

function readPage(
  conversationId: string,
  above: Above,
  signal?: AbortSignal,
): Promise<ThreadPage> {
  const input = { params: { conversationId }, query: { ...above, limit: PAGE_MESSAGES } };
  return call(conversationsContract.messages, input, { signal });
}

/** The whole branch of the newest message, for printing. */
export function wholeThreadQuery(conversationId: string) {
  return queryOptions({
    queryKey: ["conversation", conversationId, "whole"],
    async queryFn({ signal }) {
      let page = await readPage(conversationId, {}, signal);
      let messages = page.items;
      while (page.before !== null) {
        const above = { leaf: page.leaf ?? undefined, before: page.before };
        page = await readPage(conversationId, above, signal);
        messages = [...page.items, ...messages];
      }
      return messages;
    },
  });
}

/** The agents to ask, favourites first; at most the 100 last changed. */
export const agentsQuery = queryOptions({
  queryKey: ["agents", "to-ask"],
  queryFn: async ({ signal }) => {
    const [{ items: agents }, marks] = await Promise.all([
      call(agentsContract.listAgents, { query: { ...LIST, scope: "all" } }, { signal }),
      call(
        personalContract.listFavorites,
        { query: { ...LIST, resourceType: "agent" } },
        { signal },
      ),
    ]);
    const ids = marks.items.map(({ resourceId }) => resourceId);
    const known = new Set(agents.map(({ id }) => id));
    const others = ids.filter((id) => !known.has(id));
    const query = { ids: others.join(",") };
    const missing =
      others.length > 0
        ? await call(agentsContract.multipleAgents, { query }, { signal })
        : [];
    const isFavorite = ({ id }: { id: string }) => ids.includes(id);
    return {
      favorites: [...agents.filter(isFavorite), ...missing].map(wordAgent),
      others: agents.filter((agent) => !isFavorite(agent)).map(wordAgent),
    };
  },
  staleTime: MINUTE_MS,
});

const SHOWN_DOCUMENTS = 4;

/** The documents that changed last. */
export const lastDocumentsQuery = queryOptions({
  queryKey: ["documents", "last"],
  queryFn: ({ signal }) =>
    call(documentsContract.list, { query: { limit: SHOWN_DOCUMENTS } }, { signal }),
  staleTime: MINUTE_MS,
});

/** What tool servers call their tools, by name; at most the first 100. */
export const toolTitlesQuery = queryOptions({
  queryKey: ["tools", "titles"],
  async queryFn({ signal }) {
    const { listOfferedTools } = toolGatewayContract;
    const { items } = await call(listOfferedTools, { query: LIST }, { signal });
    return new Map(items.map(({ name, title, server }) => [name, { title, server }]));
  },
  staleTime: MINUTE_MS,
});

/** One agent, which the list of those to ask may lack. */
export function agentQuery(id: string | null | undefined) {
  return queryOptions({
    queryKey: ["agent", id ?? ""],
    async queryFn({ signal }) {
      const params = { id: id ?? "" };
      return wordAgent(await call(agentsContract.getAgent, { params }, { signal }));
    },
    enabled: Boolean(id),
    staleTime: MINUTE_MS,
  });
}

export const templatesQuery = queryOptions({
  queryKey: ["templates", "enabled"],
  queryFn: ({ signal }) =>
    call(
      templatesContract.enabledTemplates,
      { query: { ...LIST, builtInLanguage: currentLanguage() } },
      { signal },
    ),
  staleTime: MINUTE_MS,
});

/** Sends a message. The same key gives the same reply, so that it may be sent again. */
export function sendMessage(
  body: MessageBody,
  key: string,
  signal: AbortSignal,
): ReplyEvents {
  const headers = { "idempotency-key": key };
  return stream(repliesContract.send, { body }, { headers, signal });
}

interface Regeneration {
  conversationId: string;
  messageId: string;
  model?: string | undefined;
}

export function regenerateReply(
  { conversationId, ...body }: Regeneration,
  key: string,
  signal: AbortSignal,
): ReplyEvents {
  const headers = { "idempotency-key": key };
  const input = { params: { conversationId }, body };
  return stream(repliesContract.regenerate, input, { headers, signal });
}

/** Continues reading a reply after the last event that was read. */
export function attachToReply(
  { conversationId, messageId }: { conversationId: string; messageId: string },
  lastEventId: string | undefined,
  signal: AbortSignal,
): ReplyEvents {
  const input = { params: { conversationId }, query: { messageId } };
  const headers: Record<string, string> = lastEventId
    ? { "last-event-id": lastEventId }
    : {};
  return stream(repliesContract.attach, input, { headers, signal });
}

export function stopReply(conversationId: string, messageId: string) {
  return call(repliesContract.stop, { params: { conversationId }, body: { messageId } });
}

export type Decision = RouteInput<typeof approvalsContract.approve>["body"];

export function decideCall(conversationId: string, body: Decision) {
  return call(approvalsContract.approve, { params: { conversationId }, body });
}

export type Reaction = RouteInput<typeof conversationsContract.setReaction>["body"];

export function setReaction(messageId: string, body: Reaction) {
  return call(conversationsContract.setReaction, { params: { messageId }, body });
}

type NewCanvas = RouteInput<typeof canvasContract.createCanvas>["body"];

export function createCanvas(canvas: NewCanvas) {
  return call(canvasContract.createCanvas, { body: canvas });
}

export function fillTemplate(id: string, values: Record<string, string>) {
  return call(templatesContract.fillTemplate, { params: { id }, body: { values } });
}

/** For a message: it does not become one of the person's documents. */
export function uploadAttachment(file: File, options: UploadOptions) {
  const fields = { as: "attachment" };
  return upload(documentsContract.upload, file, { ...options, fields });
}

export function uploadDocument(file: File, options: UploadOptions) {
  return upload(documentsContract.upload, file, options);
}
