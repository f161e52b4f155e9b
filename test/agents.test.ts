import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type AgentsServer, NOBODY, startAgentsServer } from "./support/agents-server.ts";

let server: AgentsServer;
beforeAll(async () => {
  server = await startAgentsServer();
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => server.provider.answer(() => ({ text: ["Hello"] })));

test("an agent has every field, is listed for its owner only, and does not exist for anyone else", async () => {
  const file = await server.upload("weather");
  const given = {
    name: "Weather",
    description: "Tells the weather",
    type: "simple",
    instructions: "Be brief.",
    model: "openai/gpt-other",
    tools: ["echo"],
    files: [file],
    temperature: 0.4,
    starters: ["Will it rain?"],
    icon: "🌦",
  };
  const agent = await server.make(given);
  expect(agent).toMatchObject({ ...given, version: 1, folderId: null, flowId: null });
  expect((await server.ask("GET", `/${agent.id}`)).body).toEqual({
    ...agent,
    role: "owner",
    ownerName: "ada",
  });
  expect((await server.ask("GET", `/${agent.id}/files`)).body).toMatchObject({
    items: [{ id: file, fileName: expect.any(String), mimeType: expect.any(String) }],
    total: 1,
  });
  for (const query of ["weath", "WÈÄTH"])
    expect(
      (await server.ask("GET", `?query=${query}`)).body.items.map(({ id }) => id),
    ).toEqual([agent.id]);
  expect(
    (await server.ask("GET", `/multiple?ids=${agent.id},${NOBODY}`)).body,
  ).toMatchObject([{ id: agent.id }]);
  for (const [method, path, body] of [
    ["GET", ""],
    ["GET", "/files"],
    ["PUT", "", { name: "Mine" }],
    ["PATCH", "", { name: "Mine" }],
    ["DELETE", ""],
    ["POST", "/restore"],
    ["GET", "/versions"],
    ["GET", "/versions/1"],
    ["GET", "/versions/diff?from=1&to=1"],
    ["POST", "/versions/1/restore"],
  ] as const) {
    for (const id of [agent.id, NOBODY]) {
      const { status, body: answer } = await server.ask(method, `/${id}${path}`, {
        token: server.bob,
        body,
      });
      expect([method, path, status, answer.code]).toEqual([
        method,
        path,
        404,
        "agent_not_found",
      ]);
    }
    expect(
      (await server.ask(method, `/${agent.id}${path}`, { token: null, body })).status,
    ).toBe(401);
  }
  expect((await server.ask("GET", "", { token: server.bob })).body.total).toBe(0);
  expect(
    (await server.ask("GET", `/multiple?ids=${agent.id}`, { token: server.bob })).body,
  ).toEqual([]);
  expect((await server.talk({ agentId: agent.id }, server.bob)).status).toBe(404);
});

test.each([
  [{}, "validation_failed"],
  [{ name: " " }, "validation_failed"],
  [{ name: "x", temperature: 3 }, "validation_failed"],
  [{ name: "x", files: ["../etc"] }, "validation_failed"],
  [{ name: "x", type: "system" }, "agent_invalid"],
  [{ name: "x", type: "workflow" }, "agent_invalid"],
  [{ name: "x", retrieval: { topK: 5 } }, "agent_invalid"],
  [{ name: "x", type: "cortex", retrieval: { topK: 51 } }, "validation_failed"],
  [{ name: "x", type: "organization" }, "admin_required"],
  [{ name: "x", folderId: NOBODY }, "folder_not_found"],
])("%j is no agent: %s", async (body, code) => {
  expect((await server.ask("POST", "", { body })).body.code).toBe(code);
});

test.each([
  "?page=0",
  "?limit=0",
  "?limit=101",
  "?page=x",
  "/multiple?ids=x",
  "/multiple",
  "/organization?limit=1000",
  "/folders?limit=0",
  "/trash?page=-1",
])("%s is refused", async (path) => {
  expect((await server.ask("GET", path)).body.code).toBe("validation_failed");
});

test("replacing resets absent fields to their defaults, changing keeps them, and a stale version is refused", async () => {
  const agent = await server.make({
    description: "first",
    tools: ["echo"],
    starters: ["a"],
  });
  const changed = (
    await server.ask("PATCH", `/${agent.id}`, {
      body: { description: "second", baseVersion: 1 },
    })
  ).body;
  expect(changed).toMatchObject({
    description: "second",
    tools: ["echo"],
    starters: ["a"],
    version: 2,
  });
  expect(
    (await server.ask("PATCH", `/${agent.id}`, { body: { name: "late", baseVersion: 1 } }))
      .body.code,
  ).toBe("agent_changed");
  const replaced = (await server.ask("PUT", `/${agent.id}`, { body: { name: "Whole" } }))
    .body;
  expect(replaced).toMatchObject({
    name: "Whole",
    description: "",
    tools: [],
    starters: [],
    version: 3,
  });
  expect(
    (await server.ask("PUT", `/${agent.id}`, { body: { name: "Whole" } })).body.version,
  ).toBe(3);
});

test("concurrent changes are never lost", async () => {
  const agent = await server.make();
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      server.ask("PATCH", `/${agent.id}`, { body: { description: `n${n}` } }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const { body } = await server.ask("GET", `/${agent.id}/versions?limit=100`);
  expect(
    new Set(
      body.items.map(
        ({ definition }) => (definition as { description: string }).description,
      ),
    ).size,
  ).toBe(13);
});

test("versions name their author, can be compared, and can be restored", async () => {
  const agent = await server.make({ instructions: "Be one." });
  const file = await server.upload("versions");
  await server.ask("PATCH", `/${agent.id}`, {
    body: { instructions: "Be two.", files: [file] },
  });
  const { body } = await server.ask("GET", `/${agent.id}/versions/diff?from=1&to=2`);
  expect(body["changes"]).toEqual([
    {
      field: "instructions",
      from: "Be one.",
      to: "Be two.",
      words: expect.arrayContaining([
        { kind: "removed", text: "one" },
        { kind: "added", text: "two" },
      ]),
    },
    { field: "files", from: [], to: [file] },
  ]);
  expect((await server.ask("POST", `/${agent.id}/versions/1/restore`)).body).toMatchObject({
    instructions: "Be one.",
    files: [],
    version: 3,
  });
  expect((await server.ask("GET", `/${agent.id}/versions/9`)).body.code).toBe(
    "version_not_found",
  );
  expect((await server.ask("GET", `/${agent.id}/versions?limit=1`)).body).toMatchObject({
    total: 3,
    items: [{ version: 3 }],
  });
});

test("a deleted agent is in its owner's trash and can be restored", async () => {
  const agent = await server.make({ name: "Gone" });
  expect((await server.ask("DELETE", `/${agent.id}`)).status).toBe(204);
  expect((await server.ask("GET", `/${agent.id}`)).status).toBe(404);
  expect((await server.talk({ agentId: agent.id })).status).toBe(404);
  expect((await server.ask("GET", "/trash")).body.items.map(({ name }) => name)).toContain(
    "Gone",
  );
  expect((await server.ask("POST", `/${agent.id}/restore`)).body.name).toBe("Gone");
  expect((await server.ask("POST", `/${agent.id}/restore`)).status).toBe(404);
  expect((await server.ask("GET", `/${agent.id}`)).status).toBe(200);
});
