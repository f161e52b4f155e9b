import type { User } from "../../../../platform/http/caller.ts";
import { Forbidden } from "../../../../platform/http/errors.ts";
import type { ReplyEvent } from "../../../agent-loop/contract-events.ts";
import { addUsage } from "../../../agent-loop/contract-transcript.ts";
import type { Message, ToolCall, Usage } from "../../../completion/contract.ts";
import type { StoreResult } from "../../../retrieval/openai-api/contract-search.ts";
import { FileId } from "../../../documents/openai-api/contract-ids.ts";
import { ofDocument } from "../../labels/read-resources.ts";
import { retrievalUnavailable } from "../../sources/find-passages.ts";
import { answerChat, type AnswerDeps, type ChatToAnswer } from "../answer-chat.ts";
import type { CitedFile } from "./cite-files.ts";
import type { FileSearchTool } from "./contract-items.ts";
import { type FileSearch, readQueries } from "./search-files.ts";

export interface SearchDeps extends AnswerDeps {
  /** Absent when documents cannot be searched here. */
  fileSearch: FileSearch | undefined;
}

/** A search of files begins, and ends. */
export type SearchEvent =
  | { type: "search_begun" }
  | { type: "search_done"; queries: string[]; results: StoreResult[] };

interface Offered {
  /** By which the model calls it. */
  name: string;
  tool: FileSearchTool;
}

/** The most turns in which the model may search for one response. */
const MAX_ROUNDS = 8;
/** The most searches of one turn: each of them gives the model passages to read. */
const MAX_SEARCHES = 4;

/**
 * Answers by a model that may search files: its searches run here, other calls go to the client.
 * @param cited gets the file of each passage that the model is given.
 * @throws Forbidden, NotFound `folder_not_found`, before the first event.
 */
export async function answerWithSearch(
  deps: SearchDeps,
  user: User,
  asked: { question: ChatToAnswer; offered: Offered; cited: CitedFile[] },
  signal: AbortSignal,
): Promise<AsyncIterable<(ReplyEvent | SearchEvent)[]>> {
  const { fileSearch } = deps;
  if (!(await deps.use.asksDocuments(user))) throw searchRefused();
  if (!fileSearch) throw retrievalUnavailable();
  await fileSearch.check(user.userId, asked.offered.tool, signal);
  // an early refusal is an error of the request
  const first = await answerChat(deps, user, asked.question, signal);
  return searchAndAnswer({ ...deps, fileSearch }, user, asked, first.events, signal);
}

async function* searchAndAnswer(
  deps: SearchDeps & { fileSearch: FileSearch },
  user: User,
  {
    question,
    offered,
    cited,
  }: { question: ChatToAnswer; offered: Offered; cited: CitedFile[] },
  first: AsyncIterable<ReplyEvent[]>,
  signal: AbortSignal,
): AsyncGenerator<(ReplyEvent | SearchEvent)[]> {
  let { options, labels = [] } = question;
  let events = first;
  let usage: Usage = { inputTokens: 0, outputTokens: 0 };
  for (let round = 1; ; round += 1) {
    const turn: SearchRound = { text: "", searches: [], calls: 0 };
    yield* readTurn(events, offered.name, turn);
    if (!turn.done) return;
    usage = addUsage(usage, turn.done.usage);
    // a model may call what it is not offered any more
    if (turn.searches.length === 0 || round > MAX_ROUNDS)
      return yield [{ ...turn.done, usage }];
    const results: Message[] = [];
    for (const [at, search] of turn.searches.entries()) {
      if (at >= MAX_SEARCHES) {
        results.push({ role: "tool", toolCallId: search.id, content: TOO_MANY_SEARCHES });
        continue;
      }
      yield [{ type: "search_begun" }];
      const queries = readQueries(search.arguments);
      const found = queries
        ? await deps.fileSearch.search(user.userId, offered.tool, queries, signal)
        : [];
      yield [{ type: "search_done", queries: queries ?? [], results: found }];
      const read = found.map(({ file_id }) => ofDocument(FileId.parse(file_id)));
      labels = await deps.labels.collect({ userId: user.userId }, read, labels);
      if (labels.length > 0) yield [{ type: "labels", labels: [...labels] }];
      const content = queries ? passagesOf(found, cited) : WRONG_ARGUMENTS;
      results.push({ role: "tool", toolCallId: search.id, content });
    }
    if (turn.calls > 0) return yield [{ ...turn.done, usage }];
    const said: Message = {
      role: "assistant",
      content: turn.text,
      toolCalls: turn.searches,
    };
    const messages = [...options.messages, said, ...results];
    options = { ...options, messages, toolChoice: "auto" };
    if (round >= MAX_ROUNDS) options = withoutSearch(options, offered.name);
    const next = { ...question, options, labels };
    events = (await answerChat(deps, user, next, signal)).events;
  }
}

interface SearchRound {
  text: string;
  searches: ToolCall[];
  /** Of the client's tools. */
  calls: number;
  done?: Extract<ReplyEvent, { type: "done" }>;
}

/** Passes on what the client sees of a turn of the model, and notes the rest. */
async function* readTurn(
  events: AsyncIterable<ReplyEvent[]>,
  search: string,
  turn: SearchRound,
): AsyncGenerator<ReplyEvent[]> {
  for await (const batch of events) {
    const shown = batch.filter((event) => {
      if (event.type === "done") turn.done = event;
      if (event.type === "text_delta") turn.text += event.delta;
      if (event.type !== "tool_call") return event.type !== "done";
      if (event.name !== search) turn.calls += 1;
      else turn.searches.push(toCall(event));
      return event.name !== search;
    });
    if (shown.length > 0) yield shown;
  }
}

function toCall(event: Extract<ReplyEvent, { type: "tool_call" }>): ToolCall {
  const { toolCallId: id, name, arguments: values, unreadable, state } = event;
  return {
    id,
    type: "tool_call",
    name,
    arguments: values,
    ...(unreadable !== undefined && { unreadable }),
    ...(state && { state }),
  };
}

function withoutSearch(
  options: ChatToAnswer["options"],
  name: string,
): ChatToAnswer["options"] {
  const { tools = [], toolChoice, ...others } = options;
  const left = tools.filter((tool) => tool.name !== name);
  if (left.length === 0) return others;
  return { ...others, tools: left, ...(toolChoice && { toolChoice }) };
}

/** Passages with the numbers by which the model cites them. */
function passagesOf(results: readonly StoreResult[], cited: CitedFile[]): string {
  if (results.length === 0) return "Nothing was found. Try other words.";
  return results
    .map(({ file_id, filename, content }) => {
      cited.push({ file_id, filename });
      return `【${cited.length}】 “${filename}”:\n${content.map(({ text }) => text).join("\n")}`;
    })
    .join("\n\n");
}

const WRONG_ARGUMENTS =
  "The search did not run: queries must be one to four texts of at most 2,000 characters.";

const TOO_MANY_SEARCHES = `The search did not run: a turn has at most ${MAX_SEARCHES}. Ask for it again if you need it.`;

function searchRefused(): Forbidden {
  return new Forbidden(
    "permission_missing",
    "Your roles do not permit document:search. Leave file_search out, or ask an administrator.",
  );
}
