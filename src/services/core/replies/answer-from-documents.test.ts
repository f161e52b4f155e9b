import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../platform/db/database.ts";
import type { Fetch } from "../../../platform/http/call.ts";
import { eventStream, ndjsonStream } from "../../../platform/http/stream.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { coreDatabase } from "../../../../test/support/core-database.ts";
import { noLabels } from "../../../../test/support/no-labels.ts";
import { RunRequest } from "../../agent-loop/contract.ts";
import type { ReplyEvent } from "../../agent-loop/contract-events.ts";
import { type CompletionEvent, CompletionRequest } from "../../completion/contract.ts";
import type { ToolDeps } from "../tools/toolset.ts";
import type { NotFound } from "../sources/contract.ts";
import type { Passage, PassageFinder, PassageQuery } from "../sources/find-passages.ts";
import type { RetrievalPlan } from "../sources/plan-retrieval.ts";
import { callPlatformTool } from "../tools/platform-tools.ts";
import type { PreparedReply } from "./reply-to-make.ts";
import { runReply } from "./run-reply.ts";

let db: Database;
beforeAll(async () => {
  db = await coreDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());

const passage = (chunkIndex: number, content: string): Passage => ({
  documentId: "0b8f1ab7-1111-7000-8000-000000000001",
  fileName: "handbook.pdf",
  pageNumber: 3,
  chunkIndex,
  score: 0.9,
  content,
});
const HOLIDAYS = passage(4, "Everybody has 30 days of holidays.");
const NOTICE = passage(7, "The period of notice is three months.");

interface Setting {
  found?: Passage[][];
  notFound?: NotFound;
  notReady?: string[];
  plan?: Partial<RetrievalPlan>;
  messages?: PreparedReply["messages"];
  /** The pieces of text of the model's final answer. */
  text: string[];
  /** The model's searches before it answers. Each inner list is one concurrent batch. */
  searches?: string[][];
  contextWindow?: number;
}

const usage = { inputTokens: 1, outputTokens: 1 };
const QUESTION = "How many days of holidays does everybody have, and since when?";

/** Runs a reply to its end against fakes of the model and of the agent loop. */
async function play({
  found = [],
  notReady = [],
  notFound,
  plan,
  messages = [{ role: "user", content: QUESTION }],
  text,
  searches = [],
  contextWindow = 32_000,
}: Setting) {
  const queries: PassageQuery[] = [];
  const requests: CompletionRequest[] = [];
  const results: string[] = [];
  const finder: PassageFinder = async (query) => {
    const passages = found[queries.length] ?? [];
    queries.push(query);
    return { passages, notReady, notFound: passages.length === 0 ? notFound : undefined };
  };
  const completion: Fetch = async (request) => {
    requests.push(CompletionRequest.parse(await request.json()));
    const events = text.map((delta): CompletionEvent => ({ type: "text_delta", delta }));
    return ndjsonStream(
      batchesOf([...events, { type: "done", finishReason: "stop", usage }]),
    );
  };
  const agent: Fetch = async (request) => {
    const { platformTools } = RunRequest.parse(await request.json());
    const id = platformTools?.sessionId ?? "";
    // the search uses nothing else
    const deps = { db, finder, labels: noLabels } as ToolDeps;
    const events: ReplyEvent[] = [];
    for (const queriesAtOnce of searches)
      for (const result of await Promise.all(
        queriesAtOnce.map((query) =>
          callPlatformTool(
            deps,
            id,
            { name: "search_documents", arguments: { query } },
            request.signal,
          ),
        ),
      )) {
        results.push(result.content);
        events.push(...result.events);
      }
    for (const delta of text) events.push({ type: "text_delta", delta });
    const content = text.join("");
    events.push({ type: "done", content, finishReason: "stop", iterations: 1, usage });
    return eventStream(batchesOf(events));
  };
  const deps = {
    db,
    log: silentLog(),
    agent,
    completion,
    timeoutMs: 10_000,
    finder,
    flows: undefined,
    labels: noLabels,
  };
  const retrieval: RetrievalPlan = {
    docIds: null,
    attached: [],
    topK: 20,
    grade: 0.2,
    mode: "step",
    ...plan,
  };
  const run: PreparedReply = {
    plan: {
      model: "m",
      tools: [],
      approval: "never",
      instructions: "Be brief.",
      contextWindow,
      retrieval,
    },
    userId: "ada",
    messages,
  };
  const events: ReplyEvent[] = [];
  for await (const batch of runReply(deps, run, new AbortController().signal))
    events.push(...batch);
  const shown = events
    .map((event) => (event.type === "text_delta" ? event.delta : ""))
    .join("");
  const instructions = String(requests[0]?.messages[0]?.content);
  return { events, text: shown, queries, requests, instructions, results };
}

async function* batchesOf<Event>(events: Event[]): AsyncGenerator<Event[]> {
  for (const event of events) yield [event];
}

test("passages are found for the question, shown with numbers, and given to the model before it is asked", async () => {
  const { events, queries, instructions, requests } = await play({
    found: [[HOLIDAYS, NOTICE]],
    text: ["30 days [1]."],
  });
  expect(queries).toMatchObject([{ query: QUESTION, userId: "ada", docIds: null }]);
  expect(events[0]).toEqual({
    type: "sources",
    sources: [
      { ...HOLIDAYS, index: 1 },
      { ...NOTICE, index: 2 },
    ],
  });
  expect(instructions).toContain("Be brief.");
  expect(instructions).toContain(
    "[1] “handbook.pdf”, page 3:\nEverybody has 30 days of holidays.",
  );
  expect(requests[0]?.tools).toBeUndefined();
});

test("a citation of a passage that does not exist never reaches the reader, wherever the stream is cut", async () => {
  const { text, events } = await play({
    found: [[HOLIDAYS]],
    text: ["30 days [", "1", "] and [2", "].", " `a[3]`"],
  });
  expect(text).toBe("30 days [1] and. `a[3]`");
  expect(events.at(-1)).toMatchObject({ type: "done" });
});

test("asks the model to say so when nothing is found", async () => {
  const { events, instructions } = await play({ text: ["The documents do not say it."] });
  expect(events[0]).toEqual({ type: "sources", sources: [] });
  expect(instructions).toContain("No passage was found in the documents.");
  expect(instructions).toContain("say plainly that the documents do not say it");
});

const NOT_FOUND: NotFound = {
  reason: "below_threshold",
  waiting: ["scan.pdf"],
  waitingCount: 3,
  unavailable: 2,
  nearest: [NOTICE],
};

test("says why nothing was found, and offers the nearest to the reader and the model", async () => {
  const { events, instructions, text } = await play({
    notFound: NOT_FOUND,
    text: ["No [1]."],
  });
  expect(events[0]).toEqual({ type: "sources", sources: [], notFound: NOT_FOUND });
  expect(instructions).toContain(
    "No passage of the documents is near enough to the question. " +
      "Not searched, because not processed: “scan.pdf” and 2 more. " +
      "Not searched, because not shared with the user, or gone: 2 of the documents to answer from.",
  );
  expect(instructions).toContain(
    "- “handbook.pdf”, page 3: The period of notice is three months.",
  );
  // the nearest are no sources: a reply cannot cite them
  expect(text).toBe("No.");
});

test("the tool says why it found nothing, until it finds something", async () => {
  const { events, results } = await play({
    plan: { mode: "tool" },
    notFound: { ...NOT_FOUND, reason: "not_processed", nearest: [] },
    found: [[], [HOLIDAYS], []],
    searches: [["one"], ["two"], ["three"]],
    text: ["done"],
  });
  const why =
    "The documents have not been processed yet, or could not be read: “scan.pdf” and 2 more.";
  expect(results[0]).toContain(`Nothing was found. ${why}`);
  expect(
    events.flatMap((event) => (event.type === "sources" ? [event.notFound?.reason] : [])),
  ).toEqual(["not_processed", undefined]);
});

test("with a tool the model searches, and a passage keeps its number", async () => {
  const { events, results, queries, text } = await play({
    plan: { mode: "tool" },
    found: [[HOLIDAYS], [HOLIDAYS, NOTICE]],
    searches: [["holidays"], ["notice"]],
    text: ["30 days [1], three months [2], more [3]."],
  });
  expect(queries.map(({ query }) => query)).toEqual(["holidays", "notice"]);
  expect(events.filter(({ type }) => type === "sources")).toEqual([
    { type: "sources", sources: [{ ...HOLIDAYS, index: 1 }] },
    { type: "sources", sources: [{ ...NOTICE, index: 2 }] },
  ]);
  expect(results[1]).toContain("[2] “handbook.pdf”");
  expect(results[1]).toContain("Found again: [1].");
  expect(text).toBe("30 days [1], three months [2], more.");
  expect(events.at(-1)).toMatchObject({
    type: "done",
    content: "30 days [1], three months [2], more.",
  });
});

test("concurrent searches give each passage one number", async () => {
  const { events } = await play({
    plan: { mode: "tool" },
    found: [
      [HOLIDAYS, NOTICE],
      [NOTICE, HOLIDAYS],
      [passage(8, "Third."), NOTICE],
    ],
    searches: [["one", "two", "three"]],
    text: ["done"],
  });
  const numbered = events.flatMap((event) =>
    event.type === "sources" ? event.sources : [],
  );
  expect(numbered.map(({ index }) => index).toSorted()).toEqual([1, 2, 3]);
  expect(new Set(numbered.map(({ chunkIndex }) => chunkIndex)).size).toBe(3);
});

test("the session of a run ends with it", async () => {
  await play({ plan: { mode: "tool" }, searches: [["one"]], text: ["done"] });
  expect(await db.query(sql`select id from core.tool_sessions`)).toEqual([]);
  const deps = { db } as ToolDeps;
  const call = { name: "search_documents", arguments: { query: "x" } };
  await expect(
    callPlatformTool(deps, crypto.randomUUID(), call, new AbortController().signal),
  ).rejects.toMatchObject({ status: 404, code: "tool_session_ended" });
});

test("passages fill a share of the context, the best first", async () => {
  const long = passage(9, "x".repeat(5_000));
  const { events } = await play({
    found: [[HOLIDAYS, long, NOTICE]],
    contextWindow: 3_000,
    text: ["yes"],
  });
  expect(events[0]).toMatchObject({ sources: [{ chunkIndex: 4 }, { chunkIndex: 7 }] });
});

test("a short question is searched together with the one before, and old citations are removed", async () => {
  const { queries, requests } = await play({
    messages: [
      { role: "user", content: "How long are holidays in Hamburg?" },
      { role: "assistant", content: "30 days [4]." },
      { role: "user", content: "And in Berlin?" },
    ],
    text: ["yes"],
  });
  expect(queries[0]?.query).toBe("How long are holidays in Hamburg?\nAnd in Berlin?");
  expect(requests[0]?.messages[2]?.content).toBe("30 days.");
});

test("a warning names documents that are not read yet", async () => {
  const { events } = await play({ notReady: ["scan.pdf"], text: ["yes"] });
  expect(events[0]).toMatchObject({
    type: "warning",
    code: "documents_not_ready",
    message: expect.stringContaining("“scan.pdf”"),
    params: { names: "“scan.pdf”" },
  });
});
