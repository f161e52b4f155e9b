import { expect, test } from "vitest";
import type { RunEvent, RunRequest } from "../../agent/contract.ts";
import type { ConversationEvent } from "../conversations/contract.ts";
import { createAnswering } from "./answer.ts";
import type { Passage, PassageQuery } from "./find-passages.ts";
import type { RetrievalPlan } from "./plan-retrieval.ts";

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
  notReady?: string[];
  plan?: Partial<RetrievalPlan>;
  messages?: RunRequest["messages"];
  /** What the model says at each turn; `search`: with what words it looks for passages. */
  turns: { text?: string[]; search?: string }[];
  contextWindow?: number;
}

/** Plays a reply to its end. */
async function play({
  found = [],
  notReady = [],
  plan,
  messages,
  turns,
  contextWindow = 32_000,
}: Setting) {
  const queries: PassageQuery[] = [];
  const requests: RunRequest[] = [];
  const answer = createAnswering({
    allowedTools: async () => [],
    async find(query) {
      const passages = found[queries.length] ?? [];
      queries.push(query);
      return { passages, notReady };
    },
    async *run(request): AsyncGenerator<RunEvent[]> {
      const { text = [], search } = turns[requests.length] ?? {};
      requests.push(structuredClone(request));
      for (const delta of text) yield [{ type: "text_delta", delta }];
      const end = {
        type: "done" as const,
        content: text.join(""),
        iterations: 1,
        usage: { inputTokens: 1, outputTokens: 1 },
      };
      if (search === undefined) return yield [{ ...end, finishReason: "stop" }];
      const call = { name: "search_documents", arguments: { query: search } };
      yield [{ type: "tool_call", toolCallId: "c1", ...call }];
      yield [{ type: "approval", toolCallId: "c1", ...call }];
      yield [
        {
          ...end,
          finishReason: "approval",
          messages: [
            {
              role: "assistant",
              content: "",
              toolCalls: [{ type: "tool_call", id: "c1", ...call }],
            },
          ],
        },
      ];
    },
  });
  const request: RunRequest = {
    model: "m",
    messages: messages ?? [
      { role: "user", content: "How many days of holidays does everybody have, and since when?" },
    ],
    stream: true,
    maxIterations: 15,
    approval: "never",
    instructions: "Be brief.",
  };
  const whole = {
    docIds: null,
    attached: [],
    topK: 20,
    grade: 0.2,
    mode: "step" as const,
    ...plan,
  };
  const asked = { request, plan: whole, userId: "ada", contextWindow };
  const events: (RunEvent | ConversationEvent)[] = [];
  for await (const batch of answer(asked, new AbortController().signal)) events.push(...batch);
  const text = events.map((event) => (event.type === "text_delta" ? event.delta : "")).join("");
  return { events, text, queries, requests };
}

test("passages are found for the question, shown with numbers, and given to the model before it is asked", async () => {
  const { events, queries, requests } = await play({
    found: [[HOLIDAYS, NOTICE]],
    turns: [{ text: ["30 days [1]."] }],
  });
  expect(queries).toMatchObject([
    {
      query: "How many days of holidays does everybody have, and since when?",
      userId: "ada",
      docIds: null,
    },
  ]);
  expect(events[0]).toEqual({
    type: "sources",
    sources: [
      { ...HOLIDAYS, index: 1 },
      { ...NOTICE, index: 2 },
    ],
  });
  expect(requests[0]?.instructions).toContain("Be brief.");
  expect(requests[0]?.instructions).toContain(
    "[1] “handbook.pdf”, page 3:\nEverybody has 30 days of holidays.",
  );
  expect(requests[0]?.tools ?? []).toEqual([]);
});

test("a citation of a passage that there is not never reaches the reader, wherever the stream is cut", async () => {
  const { text, events } = await play({
    found: [[HOLIDAYS]],
    turns: [{ text: ["30 days [", "1", "] and [2", "].", " `a[3]`"] }],
  });
  expect(text).toBe("30 days [1] and. `a[3]`");
  expect(events.at(-1)).toMatchObject({ type: "done", content: "30 days [1] and. `a[3]`" });
});

test("where nothing is found the model is told to say so", async () => {
  const { events, requests } = await play({ turns: [{ text: ["The documents do not say it."] }] });
  expect(events[0]).toEqual({ type: "sources", sources: [] });
  expect(requests[0]?.instructions).toContain("No passage was found in the documents.");
  expect(requests[0]?.instructions).toContain("say plainly that the documents do not say it");
});

test("with a tool the model looks by itself, as often as it likes; what it found before keeps its number", async () => {
  const { events, requests, queries, text } = await play({
    plan: { mode: "tool" },
    found: [[HOLIDAYS], [HOLIDAYS, NOTICE]],
    turns: [
      { search: "holidays" },
      { search: "notice" },
      { text: ["30 days [1], three months [2]."] },
    ],
  });
  expect(queries.map(({ query }) => query)).toEqual(["holidays", "notice"]);
  expect(events.filter(({ type }) => type === "sources")).toEqual([
    { type: "sources", sources: [{ ...HOLIDAYS, index: 1 }] },
    { type: "sources", sources: [{ ...NOTICE, index: 2 }] },
  ]);
  expect(requests[2]?.decisions?.[0]?.content).toContain("[2] “handbook.pdf”");
  expect(requests[2]?.decisions?.[0]?.content).toContain("Found again: [1].");
  expect(text).toBe("30 days [1], three months [2].");
});

test("passages fill a share of the context, the best first", async () => {
  const long = passage(9, "x".repeat(5_000));
  const { events } = await play({
    found: [[HOLIDAYS, long, NOTICE]],
    contextWindow: 3_000,
    turns: [{ text: ["yes"] }],
  });
  expect(events[0]).toMatchObject({ sources: [{ chunkIndex: 4 }, { chunkIndex: 7 }] });
});

test("a short question is looked for together with the one before, and old citations do not count any more", async () => {
  const { queries, requests } = await play({
    messages: [
      { role: "user", content: "How long are holidays in Hamburg?" },
      { role: "assistant", content: "30 days [4]." },
      { role: "user", content: "And in Berlin?" },
    ],
    turns: [{ text: ["yes"] }],
  });
  expect(queries[0]?.query).toBe("How long are holidays in Hamburg?\nAnd in Berlin?");
  expect(requests[0]?.messages[1]?.content).toBe("30 days.");
});

test("documents that are not read yet are told", async () => {
  const { events } = await play({ notReady: ["scan.pdf"], turns: [{ text: ["yes"] }] });
  expect(events[0]).toMatchObject({
    type: "warning",
    code: "documents_not_ready",
    message: expect.stringContaining("“scan.pdf”"),
  });
});

test("the domain says clearly that nothing can be searched where there is no retrieval", () => {
  const answer = createAnswering({
    find: undefined,
    allowedTools: async () => [],
    run: () => (async function* () {})(),
  });
  const request: RunRequest = {
    model: "m",
    messages: [{ role: "user", content: "?" }],
    stream: true,
    maxIterations: 1,
    approval: "never",
  };
  const plan: RetrievalPlan = { docIds: null, attached: [], topK: 20, grade: 0.2, mode: "step" };
  expect(() =>
    answer({ request, plan, userId: "ada", contextWindow: 1_000 }, new AbortController().signal),
  ).toThrow("The documents cannot be searched now.");
});
