import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Usage } from "../src/services/completion/contract.ts";
import type { ConversationMessage } from "../src/services/core/conversations/contract-messages.ts";
import type { ResearchState } from "../src/services/core/research/contract-state.ts";
import { askBelow } from "./support/ask.ts";
import {
  isTitle,
  type Script,
  type ScriptedProvider,
} from "./support/scripted-provider.ts";
import { type ScriptedServer, startScriptedServer } from "./support/scripted-server.ts";
import { eventsOf, type TestServer } from "./support/server.ts";
import { uploadFile } from "./support/upload-file.ts";

const RESEARCH = "00000000-0000-7000-8000-000000000005";
const BUDGET = { searches: 4, pages: 6, tokens: 5_000, minutes: 20 };

/** A search engine (SearXNG's wire format), and the pages that it finds. */
const searched: string[] = [];
const web = createServer(({ url = "" }, response) => {
  const { pathname, searchParams } = new URL(url, origin);
  if (pathname === "/search") {
    const query = searchParams.get("q") ?? "";
    searched.push(query);
    const results = query
      .split(" ")
      .map((word) => ({ url: `${origin}/${word}`, title: word, content: "…" }));
    return void response.end(JSON.stringify({ results }));
  }
  if (pathname === "/gone") return void response.writeHead(410).end("no");
  const name = pathname.slice(1);
  response.setHeader("content-type", "text/html; charset=utf-8");
  response.end(`<title>${name}</title><p>The ${name} has 1,234 metres.</p>`);
});

let server: ScriptedServer;
let parlance: TestServer;
let provider: ScriptedProvider;
let origin = "http://127.0.0.1";
const ask = askBelow(() => parlance, "/api/v1");
beforeAll(async () => {
  await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(web.address() as AddressInfo).port}`; // a TCP server has one
  server = await startScriptedServer({
    SEARXNG_URL: origin,
    RESEARCH_SEARCHES: String(BUDGET.searches),
    RESEARCH_PAGES: String(BUDGET.pages),
    RESEARCH_TOKENS: String(BUDGET.tokens),
  });
  ({ parlance, provider } = server);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  web.closeAllConnections();
  web.close();
});
beforeEach(() => {
  searched.length = 0;
});

const call = (name: string, values: object): Script => ({
  toolCalls: [{ name, arguments: values }],
});
const calls = (...all: [string, object][]): Script => ({
  toolCalls: all.map(([name, values], at) => ({ id: `c${at}`, name, arguments: values })),
});
const plan = (...steps: string[]) => call("plan_research", { steps });
const look = (step: number, ...queries: string[]): [string, object] => [
  "investigate",
  { step, question: `How long is ${queries.join(" and ")}?`, queries },
];
const report = (text: string, more: object = {}) =>
  call("finish_research", { title: "Rivers", report: text, ...more });

/** The model takes notes that cite every passage, and otherwise does these turns. */
function follow(...turns: Script[]): void {
  let at = 0;
  provider.answer((_, body) => {
    if (isTitle(body)) return { text: ["Rivers"] };
    if (isNotes(body)) {
      const cited = String(body.messages[1]?.content).match(/^\[\d+\]/gm) ?? [];
      return { text: [cited.map((one) => `It has 1,234 metres ${one}.`).join(" ")] };
    }
    return turns[Math.min(at++, turns.length - 1)] ?? {};
  });
}

function isNotes({ messages }: { messages: { content: unknown }[] }): boolean {
  return String(messages[0]?.content).startsWith("You read for a colleague");
}

type Events = Awaited<ReturnType<typeof eventsOf>>;
const of = (events: Events, name: string) =>
  events.flatMap(({ event, data }) => (event === name ? [data] : []));
const lastOf = (events: Events, name: string) => of(events, name).at(-1) ?? {};

type Reply = Pick<
  ConversationMessage,
  | "id"
  | "canvases"
  | "content"
  | "labels"
  | "sources"
  | "toolCalls"
  | "status"
  | "finishReason"
> & { research: ResearchState; usage: Usage };

/** Asks the agent, and approves its plan, or another one in its place. */
async function research(approved?: object, files: string[] = []) {
  const body = { content: "Rivers?", agentId: RESEARCH, files };
  const before = await eventsOf(await parlance.request("/api/v1/conversation", { body }));
  const begun = lastOf(before, "conversation");
  const conversationId = String(begun["conversationId"]);
  const messageId = String(begun["messageId"]);
  const waiting = lastOf(before, "approval");
  const decided = await ask("POST", `/conversation/${conversationId}/approve`, {
    body: {
      toolCallId: waiting["toolCallId"],
      decision: "approve",
      ...(approved && { arguments: approved }),
    },
  });
  expect(decided.status, decided.text).toBe(200);
  return { before, conversationId, ...(await readOn(conversationId, messageId)) };
}

/** Reads a reply to its end, or to where it waits. */
async function readOn(conversationId: string, messageId: string) {
  const stream = `/api/v1/conversation/${conversationId}/stream?messageId=${messageId}`;
  const events = await eventsOf(await parlance.request(stream));
  const stored = await ask("GET", `/conversation/${conversationId}/messages`);
  const reply = stored.body.items.at(-1) as unknown as Reply; // as the contract has it
  const canvasId = reply.canvases[0]?.canvasId;
  const read = canvasId ? (await ask("GET", `/canvas/${canvasId}`)).body : undefined;
  return { events, reply, canvas: read?.["content"], sources: read?.["sources"] };
}

test("a plan waits for its reader, who may change it; then the research runs to its report", async () => {
  follow(
    plan("How long is the elbe?", "How long is the weser?"),
    calls(look(1, "elbe"), look(2, "weser")),
    report("The Elbe has 1,234 metres [1]. The Weser has 999 metres [2]. Both [77].", {
      notFound: ["Their depth"],
    }),
    { text: ["Both have 1,234 metres [1][2]."] },
  );
  const { before, events, reply, canvas, sources } = await research({
    steps: ["Elbe only", "Weser, too"],
    budget: { searches: 3, pages: 1_000 },
  });
  expect(lastOf(before, "done")).toMatchObject({ finishReason: "approval" });
  expect(searched.toSorted()).toEqual(["elbe", "weser"]);
  expect(lastOf(events, "research")["research"]).toEqual(reply.research);
  expect(reply).toMatchObject({
    status: "complete",
    content: "Both have 1,234 metres [1][2].",
    research: {
      steps: [
        { title: "Elbe only", done: true },
        { title: "Weser, too", done: true },
      ],
      budget: { ...BUDGET, searches: 3 },
      used: { searches: 2, pages: 2 },
      unread: [],
    },
  });
  // two investigations run at once, so that either may be numbered first
  expect(reply.sources.map(({ url }) => url).toSorted()).toEqual([
    `${origin}/elbe`,
    `${origin}/weser`,
  ]);
  expect(canvas).toContain("The Elbe has 1,234 metres [1].");
  expect(canvas).toContain(
    "999 metres [2] *(a figure of this is not in the cited passage)*.",
  );
  expect(canvas).toContain("Both *(no passage that was read says this)*.");
  expect(canvas).toContain("## What could not be found\n\n- Their depth");
  expect(canvas).toMatch(/- \[1\] \[\w+\]\(<http:[^>]+>\)\n- \[2\]/);
  // the passages that the report cites come with it
  expect(sources).toMatchObject([
    { index: 1, content: expect.stringContaining("1,234 metres") },
    { index: 2 },
  ]);
  expect(canvas).toContain("Searches: 2 of 3. Pages: 2 of 6.");
  expect(canvas).toContain("Marked: 2.");
  const usage = provider.turns().length * 11;
  expect(reply.usage.inputTokens).toBe(usage);
});

test("beyond the budget nothing is searched or read, and the report says so", async () => {
  follow(
    plan("One", "Two"),
    calls(look(1, "a", "b", "c"), look(1, "d", "e", "f")),
    calls(look(2, "g")),
    report("It has 1,234 metres [1]."),
    { text: ["Done."] },
  );
  const { reply, canvas } = await research();
  expect(searched).toHaveLength(BUDGET.searches);
  expect(reply.research.used).toEqual({ searches: 4, pages: expect.any(Number) });
  expect(reply.research.used.pages).toBeLessThanOrEqual(BUDGET.pages);
  expect(reply.toolCalls.at(-2)).toMatchObject({ name: "investigate" });
  expect(canvas).toMatch(/All (?:searches|pages) of the budget were used/);
});

test("a model that goes on after its tokens has one turn more, for the report alone", async () => {
  const spends = { inputTokens: BUDGET.tokens, outputTokens: 1 };
  follow(
    plan("One", "Two"),
    { ...calls(look(1, "elbe")), usage: spends },
    report("It has 1,234 metres [1].", { language: "de" }),
    { text: ["Done."] },
  );
  const before = provider.turns().length;
  const { reply, canvas } = await research();
  const [closing, last] = provider.turns().slice(before).slice(-2);
  expect(closing?.tools?.map((tool) => tool.function.name)).toEqual(["finish_research"]);
  expect(closing?.["tool_choice"]).toBe("required");
  expect(last?.tools).toBeUndefined();
  expect(reply).toMatchObject({ finishReason: "budget", content: "Done." });
  expect(canvas).toContain("Die Token des Budgets sind verbraucht");
  expect(canvas).toContain("- Nicht untersucht: Two");
});

test("pages that cannot be read are named, and cost their part of the budget", async () => {
  follow(plan("One"), calls(look(1, "gone elbe")), report("It has 1,234 metres [1]."), {
    text: ["Done."],
  });
  const { reply, canvas } = await research();
  expect(reply.research).toMatchObject({
    used: { searches: 1, pages: 2 },
    unread: [{ url: `${origin}/gone`, problem: { code: "web_page_status" } }],
  });
  expect(canvas).toContain(`## Pages that could not be read\n\n- <${origin}/gone>`);
});

test("nothing is investigated or reported without an approved plan", async () => {
  follow(calls(look(1, "elbe")), report("It is so [1]."), { text: ["I need a plan."] });
  const body = { content: "Rivers?", agentId: RESEARCH };
  const events = await eventsOf(await parlance.request("/api/v1/conversation", { body }));
  expect(searched).toEqual([]);
  expect(of(events, "tool_result").map((one) => one["isError"])).toEqual([true, true]);
  expect(of(events, "canvas")).toEqual([]);
});

test("what is labelled among the documents of a research asks before it searches, and goes on to the report", async () => {
  const rule = { name: "Secret rivers", openWorld: "ask" };
  const label = (await ask("POST", "/labels", { body: rule })).body.id;
  const folder = (await ask("POST", "/documents/folders", { body: { name: "Rivers" } }))
    .body.id;
  const on = { body: { labelIds: [label] } };
  expect((await ask("PUT", `/labels/on/folder/${folder}`, on)).status).toBe(200);
  const { body: document } = await uploadFile(parlance, "The Elbe floods.", "elbe.txt", {
    fields: { folderId: folder },
  });
  follow(
    plan("How long is the elbe?"),
    calls(look(1, "elbe")),
    report("The Elbe has 1,234 metres [1]."),
    { text: ["It has 1,234 metres [1]."] },
  );
  const { events, conversationId, reply: begun } = await research(undefined, [document.id]);
  const waiting = lastOf(events, "approval");
  expect(waiting).toMatchObject({ name: "investigate", because: "label" });
  expect(searched).toEqual([]);
  const decision = { toolCallId: waiting["toolCallId"], decision: "approve" };
  await ask("POST", `/conversation/${conversationId}/approve`, { body: decision });
  const { reply } = await readOn(conversationId, begun.id);
  expect(searched).toEqual(["elbe"]);
  expect(reply.content).toBe("It has 1,234 metres [1].");
  expect(reply.labels).toMatchObject([{ id: label }]);
  expect(reply.canvases).toHaveLength(1);
  // a canvas has the labels of its conversation
  const carried = await ask("GET", `/labels/on/conversation/${conversationId}`);
  expect(carried.body["labels"]).toMatchObject([{ id: label }]);
});

test("where no search engine is set up the agent is not listed, and says what is missing", async () => {
  expect(await listed(parlance)).toContain("Research");
  await using bare = await startScriptedServer();
  expect(await listed(bare.parlance)).not.toContain("Research");
  const body = { content: "Rivers?", agentId: RESEARCH };
  const refused = await bare.parlance.request("/api/v1/conversation", { body });
  expect(refused.status).toBe(503);
  expect(await refused.text()).toContain("SEARXNG_URL");
});

async function listed({ request }: TestServer): Promise<string[]> {
  const response = await request("/api/v1/agent?scope=all&limit=100");
  const { items } = (await response.json()) as { items: { name: string }[] };
  return items.map(({ name }) => name);
}
