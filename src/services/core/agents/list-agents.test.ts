import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../platform/db/database.ts";
import { coreDatabase } from "../../../../test/support/core-database.ts";
import { AgentDefinition } from "./contract-definition.ts";
import { listAgentsOfUse } from "./list-agents.ts";
import { insertAgent } from "./store.ts";

let db: Database;
beforeAll(async () => {
  db = await coreDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());

test("a list of what decides about use has no long field", async () => {
  const retrieval = { topK: 5, grade: 0.1, mode: "tool", docIds: [uuidv7(), uuidv7()] };
  const fields = [
    { name: "plain", instructions: "long" },
    { name: "searching", type: "cortex", tools: ["a", "b"], retrieval },
  ];
  for (const given of fields) {
    const owner = { id: uuidv7(), ownerId: "ada", clientId: "default", changedBy: "ada" };
    const definition = AgentDefinition.parse(given);
    await insertAgent(db, { ...owner, folderId: null, definition, files: [uuidv7()] });
  }
  const known = {
    id: expect.any(String),
    ownerId: "ada",
    createdAt: expect.any(String),
    flowId: null,
  };
  expect(await listAgentsOfUse(db, { ownerId: "ada" }, 10)).toEqual([
    { ...known, type: "cortex", retrieval: { ...retrieval, docIds: [] } },
    { ...known, type: "simple", retrieval: null },
  ]);
});
