import { afterAll, beforeAll, expect, test } from "vitest";
import { buildXlsx } from "../src/services/parser/tables/testing/build-xlsx.ts";
import { newPerson } from "./support/ask.ts";
import type { ScriptedProvider } from "./support/scripted-provider.ts";
import { type ScriptedServer, startScriptedServer } from "./support/scripted-server.ts";
import type { TestServer } from "./support/server.ts";
import { uploadFile } from "./support/upload-file.ts";

// before the server starts: while it is made, connections are not answered
const rows = Array.from({ length: 100_000 }, (_, at) => [
  `A${at}`,
  at % 2 === 0 ? "North" : "South",
  at / 4,
]);
const orders = buildXlsx({ Orders: [["Order", "Region", "Amount"], ...rows] });

let server: ScriptedServer;
let parlance: TestServer;
let provider: ScriptedProvider;
let bob: string;
beforeAll(async () => {
  server = await startScriptedServer();
  ({ parlance, provider, bob } = server);
});
afterAll(() => server[Symbol.asyncDispose]());

interface StoredReply {
  content: string;
  sources: {
    index: number;
    kind?: string;
    documentId: string;
    fileName: string;
    cited: boolean;
    table?: {
      sql: string;
      documentIds: string[];
      answer: { columns: { name: string }[]; rows: string[][] };
      behind?: { rows: string[][]; total: number; sql: string };
    };
  }[];
}

const toolNames = (at = -1) =>
  (provider.turns().at(at)?.tools ?? []).map((tool) => tool.function.name);
const lastResult = () => {
  const message = provider.turns().at(-1)?.messages.at(-1);
  return message?.role === "tool" ? String(message.content) : "";
};

/** Asks about files, and returns the reply as it is stored. */
async function talk(
  content: string,
  files: string[],
  { token = parlance.token } = {},
): Promise<StoredReply> {
  const sent = await parlance.request("/api/v1/conversation", {
    body: { content, files, stream: false },
    token,
  });
  const { conversationId } = (await sent.json()) as { conversationId: string };
  const whole = (await (
    await parlance.request(`/api/v1/conversation/${conversationId}`, { token })
  ).json()) as { messages: (StoredReply & { role: string })[] };
  const reply = whole.messages.findLast(({ role }) => role === "assistant");
  if (!reply) throw new Error("there is no reply");
  return reply;
}

test(
  "a spreadsheet of 100,000 rows gets a computed sum whose rows open",
  { timeout: 180_000 },
  async () => {
    const { body } = await uploadFile(parlance, new Uint8Array(orders), "Orders 2025.xlsx");
    const sql = `SELECT sum("Amount") AS total FROM "Orders 2025" WHERE "Region" = 'North'`;
    provider.answerTurns(
      { toolCalls: [{ name: "describe_tables", arguments: {} }] },
      { toolCalls: [{ name: "query_table", arguments: { sql } }] },
      { text: ["North made 624,987,500.0 [1], and not [2]."] },
    );
    const reply = await talk("What did North make?", [body.id]);
    expect(toolNames()).toEqual(["describe_tables", "query_table"]);
    expect(JSON.stringify(provider.turns().at(-1)?.messages)).toContain(
      '100000 rows): \\"Order\\" VARCHAR',
    );
    expect(lastResult()).toBe("[1] 1 row:\ntotal\n624987500.00");
    expect(reply.content).toBe("North made 624,987,500.0 [1], and not.");
    expect(reply.sources).toMatchObject([
      {
        index: 1,
        kind: "table",
        cited: true,
        documentId: body.id,
        fileName: "Orders 2025.xlsx",
        table: {
          sql,
          answer: { columns: [{ name: "total" }], rows: [["624987500.00"]] },
          behind: { total: 50_000 },
        },
      },
    ]);
    const { documentIds, behind } = reply.sources[0]?.table ?? {};
    const saved = await parlance.request("/api/v1/tables/export", {
      body: { documentIds, sql: behind?.sql },
    });
    const lines = (await saved.text()).trimEnd().split("\r\n");
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([
      50_001,
      "Order,Region,Amount",
      "A99998,North,24999.50",
    ]);
    expect(reply.sources[0]?.table?.behind?.rows.slice(0, 2)).toEqual([
      ["A0", "North", "0.00"],
      ["A2", "North", "0.50"],
    ]);
  },
);

test("wrong SQL is a result that says what is wrong, and the model goes on", async () => {
  const csv = `name,age\n${"Ada,36\n".repeat(5_000)}`;
  const { body } = await uploadFile(parlance, csv, "people.csv");
  provider.answerTurns(
    { toolCalls: [{ name: "query_table", arguments: { sql: "SELECT agee FROM people" } }] },
    { toolCalls: [{ name: "query_table", arguments: { sql: "ATTACH '/etc/passwd'" } }] },
    { text: ["I could not."] },
  );
  const reply = await talk("How old are they?", [body.id]);
  const results = provider
    .turns()
    .at(-1)
    ?.messages.filter(({ role }) => role === "tool")
    .map(({ content }) => String(content));
  expect(results?.[0]).toMatch(
    /query_failed: The query failed\. Correct it: Binder Error: .*"agee"/,
  );
  expect(results?.[1]).toMatch(/query_not_select: Send one SELECT/);
  expect(reply.sources).toEqual([]);
});

test("rows are saved as CSV without formulas, and not in part", async () => {
  const csv = `name,n\n${"=cmd(),-1\n".repeat(3)}`;
  const { body } = await uploadFile(parlance, csv, "cells.csv");
  const save = (sql: string) =>
    parlance.request("/api/v1/tables/export", { body: { documentIds: [body.id], sql } });
  expect(await (await save("SELECT * FROM cells LIMIT 1")).text()).toBe(
    "name,n\r\n'=cmd(),-1\r\n",
  );
  const large = await save("SELECT * FROM range(100001)");
  expect([large.status, ((await large.json()) as { code: string }).code]).toEqual([
    422,
    "too_complex",
  ]);
  const wrong = await save("COPY cells TO '/tmp/x'");
  expect(((await wrong.json()) as { code: string }).code).toBe("query_not_select");
});

test("an agent that answers from all documents of a person computes over their tables", async () => {
  const made = await parlance.request("/api/v1/agent", {
    body: { name: "Clerk", type: "cortex" },
  });
  const { id: agentId } = (await made.json()) as { id: string };
  await uploadFile(parlance, "town,people\nRome,3\nOslo,2\n", "towns.csv");
  const sql = "SELECT max(people) FROM towns";
  provider.answerTurns(
    { toolCalls: [{ name: "query_table", arguments: { sql } }] },
    { text: ["Three [1]."] },
  );
  const sent = await parlance.request("/api/v1/conversation", {
    body: { content: "How many people at most?", agentId, stream: false },
  });
  expect(sent.status).toBe(200);
  expect(toolNames(0)).toEqual(expect.arrayContaining(["describe_tables", "query_table"]));
  expect(lastResult()).toMatch(/^\[\d+\] 1 row:\nmax\(people\)\n3$/);
});

test("a model that calls no tools is asked without them", async () => {
  const { body } = await uploadFile(parlance, `n\n${"7\n".repeat(15_000)}`, "sevens.csv");
  const listed = await parlance.request("/api/v1/available-models");
  const { items } = (await listed.json()) as { items: { id: string; modelId: string }[] };
  const { modelId = "" } = items.find(({ id }) => id.includes("gpt-test")) ?? {};
  const setTools = async (tools: boolean) => {
    const change = { method: "PATCH", body: { capabilities: { tools } } };
    const path = `/api/v1/models/${encodeURIComponent(modelId)}`;
    expect((await parlance.request(path, change)).status).toBe(200);
  };
  provider.answerTurns({ text: ["Seven."] });
  await setTools(false);
  await talk("How many?", [body.id]);
  expect(toolNames()).toEqual([]);
  await setTools(true);
  await talk("How many?", [body.id]);
  expect(toolNames()).toEqual(["describe_tables", "query_table"]);
});

test("a conversation without tables gets no tools for them", async () => {
  const { body } = await uploadFile(parlance, "x ".repeat(300_000), "long.txt");
  provider.answerTurns({ text: ["Read."] });
  await talk("What does it say?", [body.id]);
  expect(toolNames()).toEqual([]);
});

test("a table that is not shared any more is read by nobody but its owner", async () => {
  const eve = await newPerson(parlance, "eve");
  const csv = `secret,n\n${"planted-words,1\n".repeat(3_000)}`;
  const { body } = await uploadFile(parlance, csv, "secret.csv");
  const share = {
    resourceType: "document",
    resourceId: body.id,
    shares: [{ subjectType: "user", subjectId: eve.id, accessRole: "viewer" }],
  };
  const sql = "SELECT secret FROM secret LIMIT 1";
  await parlance.request("/api/v1/sharing/share", { body: share });
  provider.answerTurns(
    { toolCalls: [{ name: "query_table", arguments: { sql } }] },
    { text: ["Done."] },
  );
  await talk("Which?", [body.id], { token: eve.token });
  expect(lastResult()).toContain("planted-words");
  // the only table that Bob may see
  const own = await uploadFile(parlance, `a\n${"1\n".repeat(15_000)}`, "own.csv", {
    token: bob,
  });
  provider.answerTurns(
    { toolCalls: [{ name: "query_table", arguments: { sql } }] },
    { text: ["Done."] },
  );
  await talk("Which?", [own.body.id], { token: bob });
  expect(lastResult()).toContain("does not exist");
  expect(lastResult()).not.toContain("planted-words");
});
