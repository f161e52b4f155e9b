import { begun, deliver, pushed } from "../../../../platform/batches.ts";
import { uuidv7 } from "uuidv7";
import type { Database } from "../../../../platform/db/database.ts";
import { userOf } from "../../../../platform/http/caller.ts";
import { BadRequest } from "../../../../platform/http/errors.ts";
import type { Routes } from "../../../../platform/http/routes.ts";
import { joinLabels } from "../../../users/contract-judge-labels.ts";
import type { ReplyEvent } from "../../../agent-loop/contract-events.ts";
import { encodedEventStream } from "../../../../platform/http/stream.ts";
import { answerWithSearch, type SearchDeps } from "./answer-with-search.ts";
import type { CitedFile } from "./cite-files.ts";
import { answerChat } from "../answer-chat.ts";
import {
  responsesContract as contract,
  SEARCH_RESULTS,
  type ResponseRequest,
  type ResponseView,
  type StoredItem,
} from "./contract.ts";
import { readTools, searchIn } from "./offer-tools.ts";
import { readItemFiles, toCompletionOptions } from "./read-input.ts";
import {
  deleteResponse,
  findItems,
  findResponse,
  insertResponse,
  type Chain,
  readChain,
  responseId,
} from "./store.ts";
import { encodeFailure, toResponse, toResponseEvents } from "./write-response.ts";

interface Deps extends SearchDeps {
  db: Database;
}

/** OpenAI's Responses API over the platform's models and agents, for any client of that API. */
export function responsesRoutes(routes: Routes, deps: Deps): void {
  const { db } = deps;
  routes
    .on(contract.createResponse, async ({ body, caller, signal }) => {
      const user = userOf(caller);
      const files = deps.filesOf(user, signal);
      const given = await readInput(db, user.userId, body);
      const input = { ...given, items: await readItemFiles(given.items, files) };
      const before = body.previous_response_id
        ? await readChain(db, user.userId, body.previous_response_id)
        : { items: [], labels: [] };
      const offered = readTools(body.tools ?? []);
      const options = toCompletionOptions(body, [...before.items, ...input.items], offered);
      const known = await deps.labels.ofIds([
        ...new Set([...before.labels, ...input.labels]),
      ]);
      const labels = joinLabels(known, files.labels());
      const question = { model: body.model, options, labels };
      const cited: CitedFile[] = [];
      const search = options.tools && searchIn(offered);
      const answer = search
        ? await searching(deps, user, { question, offered: search, cited }, signal)
        : await answerChat(deps, user, question, signal);
      const head = toHead(body);
      const carried = new Set(labels.map(({ id }) => id));
      const written = notingLabels(answer.events, carried);
      const keep = async (response: ResponseView) => {
        const stored = { input: input.items, response, labels: [...carried] };
        if (head.store) await insertResponse(db, user.userId, stored);
      };
      const showsResults = body.include?.includes(SEARCH_RESULTS) ?? false;
      const showsCalls = answer.clientRunsTools;
      const writing = { showsCalls, offered, keep, cited, showsResults };
      if (!body.stream) return toResponse(written, head, writing);
      const events = await begun(written);
      return encodedEventStream(toResponseEvents(events, head, writing), encodeFailure);
    })
    .on(contract.readResponse, async ({ params, caller }) => {
      const { userId } = userOf(caller);
      return (await findResponse(db, userId, params.response)).response;
    })
    .on(contract.deleteResponse, async ({ params: { response: id }, caller }) => {
      await deleteResponse(db, userOf(caller).userId, id);
      return { id, object: "response.deleted" as const, deleted: true as const };
    })
    .on(contract.listInputItems, async ({ params, query, caller }) => {
      const { userId } = userOf(caller);
      const { input } = await findResponse(db, userId, params.response);
      return listItems(input, params.response, query);
    });
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

function itemNotFound(id: string): BadRequest {
  return new BadRequest(
    "item_not_found",
    `No stored response has the item "${id}". Send the item itself.`,
  );
}

/** The response before anything is written. */
function toHead(request: ResponseRequest): ResponseView {
  const { reasoning, text } = request;
  return {
    id: responseId(uuidv7()),
    object: "response",
    created_at: Math.floor(Date.now() / 1_000),
    status: "in_progress",
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
  const data = items.slice(from, from + limit);
  return {
    object: "list" as const,
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: from + limit < items.length,
  };
}
