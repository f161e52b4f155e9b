import { afterAll, beforeAll, expect, test } from "vitest";
import { coreDatabase } from "../../../../test/support/core-database.ts";
import { noLabels } from "../../../../test/support/no-labels.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { DescribedTable } from "../../parser/tables/contract.ts";
import type { RetrievalPlan } from "../sources/plan-retrieval.ts";
import { callPlatformTool, offerPlatformTools } from "../tools/platform-tools.ts";
import { openToolSession } from "../tools/tool-sessions.ts";
import type { ToolDeps } from "../tools/toolset.ts";
import type { TableScope, Tables } from "./tables-client.ts";

let db: Database;
beforeAll(async () => {
  db = await coreDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());

const { signal } = new AbortController();
const DOCUMENT = "01a1fb8b-2522-72b4-a6e7-60a70d8e06b0";
const retrieval: RetrievalPlan = {
  mode: "step",
  docIds: [DOCUMENT],
  attached: [],
  topK: 5,
  grade: 0,
};
const aTable = (more: Partial<DescribedTable> = {}): DescribedTable => ({
  name: "Orders",
  documentId: DOCUMENT,
  fileName: "Orders.csv",
  sheet: "",
  rows: 2,
  columns: [{ name: "Amount", type: "BIGINT" }],
  sample: [["1"], [null]],
  notes: [],
  ...more,
});
const fakeTables = (more: Partial<Tables> = {}): Tables => ({
  has: async () => true,
  describe: async () => ({ tables: [aTable()], unreadable: [], more: false }),
  query: async () => ({
    columns: [{ name: "sum", type: "BIGINT" }],
    rows: [["3"]],
    cut: false,
    documents: [{ id: DOCUMENT, fileName: "Orders.csv" }],
    scope: [DOCUMENT],
  }),
  export: async () => "",
  ...more,
});
const namesFor = async (tables: Tables, run: object) => {
  const asked = { names: [], userId: "ada", ...run };
  const { tools } = await offerPlatformTools({ tables }, asked, signal);
  return tools.map(({ name }) => name);
};

async function call(tables: Tables, name: string, values: object = {}) {
  const definition = {
    userId: "ada",
    tools: ["describe_tables", "query_table"],
    flowSession: "s",
    contextWindow: 8_000,
    retrieval,
  };
  const { id } = await openToolSession(db, definition, []);
  const asked = { name, arguments: { ...values } };
  // the tools of tables use nothing else
  return callPlatformTool({ db, tables, labels: noLabels } as ToolDeps, id, asked, signal);
}

test("the tools come unasked to runs whose documents hold tables, and to no others", async () => {
  const both = ["describe_tables", "query_table"];
  expect(await namesFor(fakeTables(), { retrieval })).toEqual(both);
  expect(await namesFor(fakeTables({ has: async () => false }), { retrieval })).toEqual([]);
  const fails = fakeTables({ has: () => Promise.reject(new Error("down")) });
  expect(await namesFor(fails, { retrieval })).toEqual([]);
  expect(await namesFor(fakeTables(), {})).toEqual([]);
});

test("a model that calls no tools gets none", async () => {
  expect(await namesFor(fakeTables(), { retrieval, withoutTools: true })).toEqual([]);
});

test("tables are looked up for the user and the documents of the run", async () => {
  const scopes: TableScope[] = [];
  const has = async (scope: TableScope) => scopes.push(scope) > 0;
  await namesFor(fakeTables({ has }), { retrieval });
  await namesFor(fakeTables({ has }), { retrieval: { ...retrieval, docIds: null } });
  expect(scopes).toEqual([
    { userId: "ada", docIds: [DOCUMENT], attached: [] },
    { userId: "ada", docIds: null, attached: [] },
  ]);
});

test("a description has the names, types and first rows, and what could not be read", async () => {
  const described = {
    tables: [aTable({ sheet: "North", notes: ["The last row may be a total."] })],
    unreadable: [{ fileName: "broken.xlsx", reason: "It is damaged." }],
    more: true,
  };
  const tables = fakeTables({ describe: async () => described });
  expect((await call(tables, "describe_tables")).content).toBe(
    [
      '"Orders" (sheet “North” of “Orders.csv”, 2 rows): "Amount" BIGINT',
      "The last row may be a total.",
      "First rows:",
      "Amount",
      "1",
      "",
      "",
      "“broken.xlsx”: It is damaged.",
      "",
      "There are more documents with tables, which are not listed.",
    ].join("\n"),
  );
});

test("a description of many wide tables is bounded, and names those that it leaves out", async () => {
  const columns = Array.from({ length: 400 }, (_, at) => ({
    name: `a column with the number ${at}`,
    type: "VARCHAR",
  }));
  const many = Array.from({ length: 20 }, (_, at) => aTable({ name: `T${at}`, columns }));
  const describe = async () => ({ tables: many, unreadable: [], more: false });
  const { content } = await call(fakeTables({ describe }), "describe_tables");
  expect(content.length).toBeLessThan(30_000);
  expect(content).toMatch(/Further tables, whose columns DESCRIBE lists: .*"T19"/);
});

test("a long answer is given in part, and says so", async () => {
  const rows = Array.from({ length: 200 }, (_, at) => [`${at} ${"x".repeat(1_000)}`]);
  const query = fakeTables().query;
  const tables = fakeTables({
    query: async (...given) => ({ ...(await query(...given)), rows, cut: true }),
  });
  const { content, events, figures } = await call(tables, "query_table", {
    sql: "SELECT 1",
  });
  expect(figures).toBeUndefined(); // how many rows there are is not known
  expect(content.length).toBeLessThan(21_000);
  expect(content).toMatch(/^\[1\] The first 12 rows, of more:/);
  const [event] = events;
  expect(event?.type === "sources" && event.sources[0]).toMatchObject({
    kind: "table",
    table: { sql: "SELECT 1", documentIds: [DOCUMENT], answer: { cut: true } },
  });
  expect(JSON.stringify(event).length).toBeLessThan(140_000);
});

test("each query is a source of its own, with the next number", async () => {
  const definition = {
    userId: "ada",
    tools: ["query_table"],
    flowSession: "s",
    contextWindow: 8_000,
    retrieval,
  };
  const { id } = await openToolSession(db, definition, []);
  const asked = { name: "query_table", arguments: { sql: "SELECT 1" } };
  const deps = { db, tables: fakeTables(), labels: noLabels } as ToolDeps; // they use nothing else
  const answers = [
    await callPlatformTool(deps, id, asked, signal),
    await callPlatformTool(deps, id, asked, signal),
  ];
  expect(answers.map(({ content }) => content)).toEqual([
    "[1] 1 row:\nsum\n3",
    "[2] 1 row:\nsum\n3",
  ]);
});
