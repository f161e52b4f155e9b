import { afterAll, beforeAll, expect, test } from "vitest";
import { coreDatabase } from "../../../../test/support/core-database.ts";
import { noLabels } from "../../../../test/support/no-labels.ts";
import type { Database } from "../../../platform/db/database.ts";
import { callPlatformTool, offerPlatformTools } from "../tools/platform-tools.ts";
import { openToolSession } from "../tools/tool-sessions.ts";
import type { OfferDeps, ToolDeps } from "../tools/toolset.ts";
import { permissionOf } from "../tools/toolsets.ts";
import { planRetrieval, READING_TOOLS, type RetrievalPlan } from "./plan-retrieval.ts";
import type { Texts } from "./texts-client.ts";

let db: Database;
beforeAll(async () => {
  db = await coreDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());

const { signal } = new AbortController();
const ID = "01a1fb8b-2522-72b4-a6e7-60a70d8e06b0";
const plan = (more: Partial<RetrievalPlan>): RetrievalPlan => ({
  mode: "tool",
  docIds: [ID],
  attached: [],
  topK: 5,
  grade: 0,
  mayRead: true,
  ...more,
});
const lines = (from: number, count: number, total = 40) => ({
  id: ID,
  fileName: "Lease.pdf",
  lines: Array.from({ length: count }, (_, at) => ({
    number: from + at,
    part: from + at > 20 ? 2 : 1,
    text: `Clause ${from + at}: ${"the tenant pays ".repeat(5)}`,
  })),
  places: [
    { kind: "page" as const, part: 1, name: null },
    { kind: "page" as const, part: 2, name: null },
  ],
  total,
});
const texts: Texts = {
  list: async () => ({
    documents: [
      {
        id: ID,
        fileName: "Lease.pdf",
        mimeType: "application/pdf",
        size: 9,
        pages: 2,
        status: "PROCESSED",
        updatedAt: "2026-11-02T10:00:00.000Z",
      },
    ],
    total: 3,
  }),
  read: async (_scope, { from, lines: count }) => lines(from, Math.min(count, 41 - from)),
  find: async () => ({
    lines: [{ id: ID, fileName: "Lease.pdf", number: 7, part: 1, text: "Clause 7" }],
    more: false,
    searched: 1,
    ids: [ID],
    unread: ["Scan.pdf"],
  }),
};

async function openRun(contextWindow = 100_000) {
  const definition = {
    userId: "ada",
    tools: [...READING_TOOLS],
    flowSession: "s",
    contextWindow,
    retrieval: plan({}),
  };
  const { id } = await openToolSession(db, definition, []);
  // the tools that read use nothing else
  const deps = { db, texts, labels: noLabels } as unknown as ToolDeps;
  return (name: string, values: object) =>
    callPlatformTool(deps, id, { name, arguments: { ...values } }, signal);
}
async function namesFor(
  retrieval: RetrievalPlan | undefined,
  names: string[] = [],
  more = {},
) {
  // whether they are offered asks for the finder alone
  const deps = { finder: async () => ({ passages: [], notReady: [] }) } as OfferDeps;
  const run = { names, userId: "ada", retrieval, ...more };
  return (await offerPlatformTools(deps, run, signal)).tools.map(({ name }) => name);
}

test("a run that searches may read, and one that names it", async () => {
  const all = ["search_documents", ...READING_TOOLS];
  expect(await namesFor(plan({}))).toEqual(all);
  expect(await namesFor(plan({ mode: "both" }))).toEqual(all);
  const step = plan({ mode: "step" });
  expect(await namesFor(step)).toEqual([]);
  expect(await namesFor(step, ["read_document"])).toEqual(["read_document"]);
  expect(await namesFor(undefined, all)).toEqual([]);
});

test("a run whose user may not read whole documents searches alone", async () => {
  const { mayRead: _, ...searched } = plan({});
  expect(await namesFor(searched)).toEqual(["search_documents"]);
  for (const name of READING_TOOLS) expect(permissionOf(name)).toBe("document:read");
});

test("a message that names the reading alone has all documents of its user", () => {
  expect(planRetrieval(undefined, [], ["read_document"])).toMatchObject({
    docIds: null,
    mode: "tool",
  });
});

test("a document is read line by line to its end, in numbered passages of one page each", async () => {
  const call = await openRun();
  const first = await call("read_document", { documentId: ID, lines: 30 });
  expect(first.figures).toMatchObject({ unit: "lines", count: 30 });
  expect(first.content).toContain("[1] “Lease.pdf”, page 1:\nClause 1:");
  expect(first.content).toContain("Read to line 30 of 40: it goes on with from 31.");
  const [event] = first.events;
  if (event?.type !== "sources") throw new Error("no sources");
  expect(event.sources.map(({ index }) => index)).toEqual(
    event.sources.map((_, at) => at + 1),
  );
  for (const { content, pageNumber } of event.sources) {
    const numbers = [...content.matchAll(/Clause (\d+)/g)].map(([, number]) =>
      Number(number),
    );
    expect(numbers.every((number) => number > 20 === (pageNumber === 2))).toBe(true);
  }
  const again = await call("read_document", { documentId: ID, lines: 30 });
  expect(again.content).toMatch(/^Read before: \[1\], /);
  const rest = await call("read_document", { documentId: ID, from: 31 });
  expect(rest.content).toContain(`[${event.sources.length + 1}] “Lease.pdf”, page 2`);
  expect(rest.content).toContain("This is the end of “Lease.pdf”, after 40 lines.");
});

test("a line that was read hides none of the lines after it", async () => {
  const call = await openRun();
  await call("read_document", { documentId: ID, lines: 1 });
  const { content } = await call("read_document", { documentId: ID, lines: 40 });
  expect(
    [...content.matchAll(/^Clause (\d+)/gm)].map(([, number]) => Number(number)),
  ).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
});

test("what has no room in the model's context is left out, and the model reads so", async () => {
  const call = await openRun(2_000);
  const { content, events } = await call("read_document", { documentId: ID });
  expect(content).toContain("The rest has no room in this reply");
  const [event] = events;
  if (event?.type !== "sources") throw new Error("no sources");
  const read = event.sources.map((source) => source.content).join("\n");
  const numbers = [...read.matchAll(/Clause (\d+)/g)].map(([, number]) => Number(number));
  // without a gap
  expect(numbers).toEqual(numbers.map((_, at) => at + 1));
  expect(numbers.length).toBeLessThan(40);
});

test("documents are listed, and lines are found with their numbers", async () => {
  const call = await openRun();
  expect((await call("list_documents", {})).content).toBe(
    `${ID} “Lease.pdf”, 9 bytes, 2 pages, of 2026-11-02\n2 more: list them with offset 1.`,
  );
  expect((await call("find_in_documents", { pattern: "clause | rent" })).content).toBe(
    `${ID} “Lease.pdf”:\n7: Clause 7\nWithout a text yet: Scan.pdf.`,
  );
});
