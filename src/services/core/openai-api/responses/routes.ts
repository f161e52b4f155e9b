import { begun, deliver, pushed } from "../../../../platform/batches.ts";
import { uuidv7 } from "uuidv7";
import type { Database } from "../../../../platform/db/database.ts";
import type { Cache } from "../../../../platform/cache/cache.ts";
import { type User, userOf } from "../../../../platform/http/caller.ts";
import { BadRequest } from "../../../../platform/http/errors.ts";
import type { Routes } from "../../../../platform/http/routes.ts";
import { joinLabels } from "../../../users/contract-judge-labels.ts";
import type { ReplyEvent } from "../../../agent-loop/contract-events.ts";
import { encodedEventStream } from "../../../../platform/http/stream.ts";
import { answerWithSearch, type SearchDeps } from "./answer-with-search.ts";
import type { CitedFile } from "./cite-files.ts";
import { answerChat } from "../answer-chat.ts";
import { responsesContract as contract, type ResponseRequest } from "./contract.ts";
import type { StoredItem } from "./contract-items.ts";
import { SEARCH_RESULTS, type ResponseView } from "./contract-view.ts";
import { type BackgroundResponses, type BackgroundRun } from "./background.ts";
import type { FileReader } from "../../given-files/given-files.ts";
import { toList } from "../to-list.ts";
import { followResponse } from "./follow-response.ts";
import {
  answerInConversation,
  conversationOf,
  type InConversationDeps,
  takeDocuments,
} from "./in-conversation.ts";
import { readTools, searchIn } from "./offer-tools.ts";
import { readItemFiles, toCompletionOptions } from "./read-input.ts";
import {
  cancelResponse,
  deleteResponse,
  endResponse,
  findItems,
  findResponse,
  insertResponse,
  type Chain,
  readChain,
  responseId,
} from "./store.ts";
import { encodeFailure, toResponse, toResponseEvents } from "./write-response.ts";

interface Deps extends SearchDeps, InConversationDeps {
  db: Database;
  cache: Cache;
  background: BackgroundResponses;
}

/** OpenAI's Responses API over the platform's models and agents, for any client of that API. */
export function responsesRoutes(routes: Routes, deps: Deps): void {
  const { db } = deps;
  routes
    .on(contract.createResponse, async ({ body, caller, signal }) => {
      const user = userOf(caller);
      const head = toHead(body);
      const run = head.background
        ? await deps.background.begin(user.userId, head.id)
        : undefined;
      try {
        return await create({ deps, user, body, head, run }, signal);
      } catch (error) {
        run?.leave();
        throw error;
      }
    })
    .on(contract.readResponse, async ({ params, query, caller, signal }) => {
      const { userId } = userOf(caller);
      const { response } = await findResponse(db, userId, params.response);
      if (query.stream !== "true") return response;
      if (!response.background) throw notFollowed(response.id);
      const from = query.starting_after === undefined ? 0 : query.starting_after + 1;
      const following = { userId, id: response.id, from, signal };
      return encodedEventStream(followResponse(deps, following), encodeFailure);
    })
    .on(contract.cancelResponse, async ({ params, caller }) => {
      const cancelled = await cancelResponse(db, userOf(caller).userId, params.response);
      await deps.background.stop(cancelled.id);
      return cancelled;
    })
    .on(contract.deleteResponse, async ({ params: { response: id }, caller }) => {
      await deleteResponse(db, userOf(caller).userId, id);
      await deps.background.stop(id);
      return { id, object: "response.deleted" as const, deleted: true as const };
    })
    .on(contract.listInputItems, async ({ params, query, caller }) => {
      const { userId } = userOf(caller);
      const { input } = await findResponse(db, userId, params.response);
      return listItems(input, params.response, query);
    });
}

interface Creating {
  deps: Deps;
  user: User;
  body: ResponseRequest;
  head: ResponseView;
  /** Of a response in the background. */
  run: BackgroundRun | undefined;
}

/** Makes a response. @throws what a client hears at once. */
async function create(
  { deps, user, body, head, run }: Creating,
  signal: AbortSignal,
): Promise<ResponseView | Response> {
  const { db } = deps;
  const files = deps.filesOf(user, {
    // in a conversation what is read is kept as text
    model: head.conversation ? undefined : body.model,
    signal,
  });
  const input = await readInput(db, user.userId, body);
  const given = head.conversation
    ? takeDocuments(input.items)
    : { items: input.items, documents: [] };
  const items = await readItemFiles(given.items, files);
  const lasting = run?.signal ?? signal;
  const asked = { ...given, items, labels: input.labels, files, signal: lasting };
  const answer = head.conversation
    ? await answerOfConversation(deps, user, body, { ...asked, stops: run !== undefined })
    : await answerAlone(deps, user, body, asked);
  const carried = new Set(answer.labels.map(({ id }) => id));
  const written = notingLabels(answer.events, carried);
  const end = async (response: ResponseView) => {
    await endResponse(db, user.userId, { response, labels: [...carried] });
  };
  const store = async (response: ResponseView, isRunning: boolean) => {
    const stored = { input: items, response, labels: [...carried], isRunning };
    if (head.store) await insertResponse(db, user.userId, stored);
  };
  const writing = {
    showsCalls: answer.showsCalls,
    offered: answer.offered,
    cited: answer.cited,
    showsResults: body.include?.includes(SEARCH_RESULTS) ?? false,
    keep: run ? end : (response: ResponseView) => store(response, false),
    keepFailed: run && end,
  };
  if (run) {
    await store(head, true);
    run.start(toResponseEvents(written, head, writing));
    if (!body.stream) return head;
    const following = { userId: user.userId, id: head.id, from: 0, signal };
    return encodedEventStream(followResponse(deps, following), encodeFailure);
  }
  if (!body.stream) return toResponse(written, head, writing);
  const events = await begun(written);
  return encodedEventStream(toResponseEvents(events, head, writing), encodeFailure);
}

interface Answering {
  /** What the request adds, with its files read. */
  items: StoredItem[];
  /** The ids of documents among its files, of one in a conversation. */
  documents: string[];
  /** The ids of the labels of the responses that it refers to. */
  labels: string[];
  files: FileReader;
  signal: AbortSignal;
}

/** By a model or an agent, which reads what the request names and sends. */
async function answerAlone(
  deps: Deps,
  user: User,
  body: ResponseRequest,
  { items, labels: given, files, signal }: Answering,
) {
  const before = body.previous_response_id
    ? await readChain(deps.db, user.userId, body.previous_response_id)
    : { items: [], labels: [] };
  const earlier = await readItemFiles(before.items, files, true);
  const offered = readTools(body.tools ?? []);
  const options = toCompletionOptions(body, [...earlier, ...items], offered);
  const known = await deps.labels.ofIds([...new Set([...before.labels, ...given])]);
  const labels = joinLabels(known, files.labels());
  const question = { model: body.model, options, labels };
  const cited: CitedFile[] = [];
  const search = options.tools && searchIn(offered);
  const answer = search
    ? await searching(deps, user, { question, offered: search, cited }, signal)
    : await answerChat(deps, user, question, signal);
  return {
    events: answer.events,
    showsCalls: answer.clientRunsTools,
    labels,
    offered,
    cited,
  };
}

/** In a conversation, which has the messages before and the labels of what it read. */
async function answerOfConversation(
  deps: Deps,
  user: User,
  request: ResponseRequest,
  { items, documents, signal, stops }: Answering & { stops: boolean },
) {
  const asked = { request, items, documents, signal, stops };
  return {
    events: await answerInConversation(deps, user, asked),
    showsCalls: false,
    labels: [],
    offered: readTools([]),
    cited: [],
  };
}

async function searching(...given: Parameters<typeof answerWithSearch>) {
  return { events: await answerWithSearch(...given), clientRunsTools: true };
}

/** The same events; the ids of the labels that come with them are noted. */
function notingLabels<Event extends { type: string }>(
  batches: AsyncIterable<(Event | ReplyEvent)[]>,
  ids: Set<string>,
): AsyncIterable<(Event | ReplyEvent)[]> {
  return pushed((emit) =>
    deliver(batches, (batch) => {
      for (const event of batch)
        // `labels` is a kind of `ReplyEvent` alone
        if (event.type === "labels" && "labels" in event)
          for (const { id } of event.labels) ids.add(id);
      return emit(batch);
    }),
  );
}

/**
 * The items of a request, and the labels of the responses that it refers to.
 * @throws BadRequest `item_not_found` for a reference to what is not stored.
 */
async function readInput(
  db: Database,
  userId: string,
  { input }: ResponseRequest,
): Promise<Chain> {
  if (!input) return { items: [], labels: [] };
  if (typeof input === "string") {
    const item = { type: "message" as const, role: "user" as const, id: undefined };
    return { items: [{ ...item, content: input }], labels: [] };
  }
  const references = input.flatMap((item) =>
    item.type === "item_reference" ? [item.id] : [],
  );
  const found = await findItems(db, userId, references);
  const items = input.map((item) => {
    if (item.type !== "item_reference") return item;
    const referred = found.get(item.id);
    if (!referred) throw itemNotFound(item.id);
    return referred.item;
  });
  const used = references.flatMap((id) => found.get(id)?.labels ?? []);
  return { items, labels: [...new Set(used)] };
}

function notFollowed(id: string): BadRequest {
  return new BadRequest(
    "response_not_in_background",
    `"${id}" was not made in the background. Read it without stream.`,
  );
}

function itemNotFound(id: string): BadRequest {
  return new BadRequest(
    "item_not_found",
    `No stored response has the item "${id}". Send the item itself.`,
  );
}

/** The response before anything is written. */
function toHead(request: ResponseRequest): ResponseView {
  const { reasoning, text } = request;
  const conversation = conversationOf(request);
  return {
    id: responseId(uuidv7()),
    object: "response",
    created_at: Math.floor(Date.now() / 1_000),
    status: "in_progress",
    background: request.background ?? false,
    conversation: conversation === undefined ? null : { id: conversation },
    model: request.model,
    output: [],
    error: null,
    incomplete_details: null,
    usage: null,
    instructions: request.instructions ?? null,
    max_output_tokens: request.max_output_tokens ?? null,
    metadata: request.metadata ?? {},
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    previous_response_id: request.previous_response_id ?? null,
    reasoning: { effort: reasoning?.effort ?? null, summary: reasoning?.summary ?? null },
    store: request.store ?? true,
    temperature: request.temperature ?? null,
    text: { format: text?.format ?? { type: "text" } },
    tool_choice: request.tool_choice ?? "auto",
    tools: request.tools ?? [],
    top_p: request.top_p ?? null,
    truncation: request.truncation ?? "disabled",
  };
}

function listItems(
  input: readonly StoredItem[],
  response: string,
  {
    limit,
    order,
    after,
  }: { limit: number; order: "asc" | "desc"; after?: string | undefined },
) {
  const items = input.map((item, place) => ({
    ...item,
    id: item.id ?? `item_${response.replace("resp_", "")}_${place}`,
  }));
  if (order === "desc") items.reverse();
  const from = after === undefined ? 0 : items.findIndex(({ id }) => id === after) + 1;
  return toList(items.slice(from, from + limit), from + limit < items.length);
}
