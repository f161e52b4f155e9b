import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../platform/db/database.ts";
import { coreDatabase } from "../../../../test/support/core-database.ts";
import { uuidv7 } from "uuidv7";
import { READING_TOOLS } from "../sources/plan-retrieval.ts";
import { insertCanvas } from "../canvas/store.ts";
import { callPlatformTool, offerPlatformTools } from "./platform-tools.ts";
import type { ToolDeps } from "./toolset.ts";
import { openToolSession } from "./tool-sessions.ts";

let db: Database;
beforeAll(async () => {
  db = await coreDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());

const { signal } = new AbortController();

async function canvasOf(userId: string): Promise<string> {
  const id = uuidv7();
  const canvas = { title: "t", type: "markdown" as const, content: `secret of ${userId}` };
  const owner = { userId, clientId: "", createdBy: userId };
  await insertCanvas(db, { id, ...owner, conversationId: null, language: null, ...canvas });
  return id;
}

async function call(userId: string, tools: string[], name: string, values: object) {
  const definition = { userId, tools, flowSession: "s", contextWindow: 1_000 };
  const { id } = await openToolSession(db, definition, []);
  // reading a canvas without a conversation uses only the database
  const deps = { db } as ToolDeps;
  return callPlatformTool(deps, id, { name, arguments: { ...values } }, signal);
}

test("a tool acts with the access of the session's user", async () => {
  const canvasId = await canvasOf("ada");
  const ofAda = await call("ada", ["read_canvas"], "read_canvas", { canvasId });
  expect(ofAda).toMatchObject({ isError: false });
  expect(ofAda.content).toContain("secret of ada");
  const ofBob = await call("bob", ["read_canvas"], "read_canvas", { canvasId });
  expect(ofBob).toMatchObject({ isError: true });
  expect(ofBob.content).toContain("canvas_not_found");
});

test("a session runs its own tools only, and reports wrong arguments to the model", async () => {
  const canvasId = await canvasOf("ada");
  expect(await call("ada", ["create_canvas"], "read_canvas", { canvasId })).toMatchObject({
    isError: true,
    content: expect.stringContaining("tool_not_permitted"),
  });
  expect(await call("ada", ["read_canvas"], "read_canvas", {})).toMatchObject({
    isError: true,
    content: expect.stringContaining("tool_arguments_invalid"),
  });
});

test("offers a run the tools that it names, if its conversation and documents allow them", async () => {
  const names = ["read_canvas", "create_canvas", "elsewhere"];
  const retrieval = {
    docIds: null,
    attached: [],
    topK: 20,
    grade: 0.2,
    mode: "both" as const,
    mayRead: true as const,
  };
  const deps = { finder: async () => ({ passages: [], notReady: [] }) };
  const offered = async (run: object) =>
    (await offerPlatformTools(deps, { names, userId: "ada", ...run }, signal)).tools.map(
      ({ name }) => name,
    );
  expect(await offered({ conversationId: uuidv7() })).toEqual([
    "create_canvas",
    "read_canvas",
  ]);
  expect(await offered({})).toEqual([]);
  expect(await offered({ retrieval })).toEqual(["search_documents", ...READING_TOOLS]);
  expect(await offered({ retrieval: { ...retrieval, mode: "step" } })).toEqual([]);
});
