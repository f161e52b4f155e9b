import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { newPerson } from "./support/ask.ts";
import { type TestServer, startTestServer } from "./support/server.ts";
import {
  type ScriptedProvider,
  startScriptedProvider,
} from "./support/scripted-provider.ts";

let parlance: TestServer;
let provider: ScriptedProvider;
let ada: string;
let bob: string;
const NOBODY = "01a1fb8b-2522-72b4-a6e7-60a70d8e06b0";
beforeAll(async () => {
  provider = await startScriptedProvider();
  parlance = await startTestServer({
    OPENAI_API_KEY: "k",
    OPENAI_BASE_URL: provider.url,
    OPENAI_MODELS: "gpt-test,gpt-other",
  });
  const person = async (name: string) => {
    const email = `${name}@test.example`;
    await parlance.request("/api/v1/users", {
      body: { email, name, password: "a long enough password" },
    });
    return parlance.signIn(email, "a long enough password");
  };
  [ada, bob] = [await person("ada"), await person("bob")];
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});
beforeEach(() => provider.answer(() => ({ text: ["Hello"] })));

interface Body {
  id: string;
  code: string;
  items: Body[];
  results: { id: string; success: boolean; code?: string }[];
  total: number;
  version: number;
  name: string;
  [field: string]: unknown;
}
const ask = async (
  method: string,
  path: string,
  { token = ada, body }: { token?: string | null; body?: unknown } = {},
) => {
  const response = await parlance.request(`/api/v1/agent${path}`, { method, token, body });
  const text = await response.text();
  return { status: response.status, body: (text ? JSON.parse(text) : {}) as Body };
};
const upload = async (words: string, token = ada) => {
  const form = new FormData();
  form.set("file", new Blob([words]), "words.txt");
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${parlance.url}/api/v1/documents`, {
    method: "POST",
    headers,
    body: form,
  });
  return ((await response.json()) as Body).id;
};
const make = async (body: object = {}, token = ada) =>
  (await ask("POST", "", { body: { name: "Helper", ...body }, token })).body;
const talk = async (body: object, token = ada) => {
  const response = await parlance.request("/api/v1/conversation", {
    token,
    body: { content: "hello", stream: false, ...body },
  });
  return {
    status: response.status,
    body: (await response.json()) as Body & { conversationId: string; messageId: string },
  };
};

test("an agent has every field, is listed for its owner only, and does not exist for anyone else", async () => {
  const file = await upload("weather");
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
  const agent = await make(given);
  expect(agent).toMatchObject({ ...given, version: 1, folderId: null, flowId: null });
  expect((await ask("GET", `/${agent.id}`)).body).toEqual({
    ...agent,
    role: "owner",
    ownerName: "ada",
  });
  expect((await ask("GET", `/${agent.id}/files`)).body).toMatchObject({
    items: [{ id: file, fileName: expect.any(String), mimeType: expect.any(String) }],
    total: 1,
  });
  for (const query of ["weath", "WÈÄTH"])
    expect((await ask("GET", `?query=${query}`)).body.items.map(({ id }) => id)).toEqual([
      agent.id,
    ]);
  expect((await ask("GET", `/multiple?ids=${agent.id},${NOBODY}`)).body).toMatchObject([
    { id: agent.id },
  ]);
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
      const { status, body: answer } = await ask(method, `/${id}${path}`, {
        token: bob,
        body,
      });
      expect([method, path, status, answer.code]).toEqual([
        method,
        path,
        404,
        "agent_not_found",
      ]);
    }
    expect((await ask(method, `/${agent.id}${path}`, { token: null, body })).status).toBe(
      401,
    );
  }
  expect((await ask("GET", "", { token: bob })).body.total).toBe(0);
  expect((await ask("GET", `/multiple?ids=${agent.id}`, { token: bob })).body).toEqual([]);
  expect((await talk({ agentId: agent.id }, bob)).status).toBe(404);
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
  expect((await ask("POST", "", { body })).body.code).toBe(code);
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
  expect((await ask("GET", path)).body.code).toBe("validation_failed");
});

test("replacing resets absent fields to their defaults, changing keeps them, and a stale version is refused", async () => {
  const agent = await make({ description: "first", tools: ["echo"], starters: ["a"] });
  const changed = (
    await ask("PATCH", `/${agent.id}`, { body: { description: "second", baseVersion: 1 } })
  ).body;
  expect(changed).toMatchObject({
    description: "second",
    tools: ["echo"],
    starters: ["a"],
    version: 2,
  });
  expect(
    (await ask("PATCH", `/${agent.id}`, { body: { name: "late", baseVersion: 1 } })).body
      .code,
  ).toBe("agent_changed");
  const replaced = (await ask("PUT", `/${agent.id}`, { body: { name: "Whole" } })).body;
  expect(replaced).toMatchObject({
    name: "Whole",
    description: "",
    tools: [],
    starters: [],
    version: 3,
  });
  expect((await ask("PUT", `/${agent.id}`, { body: { name: "Whole" } })).body.version).toBe(
    3,
  );
});

test("a document that the user may not see cannot be given to an agent by any field or route", async () => {
  const foreign = await upload("bob's own", bob);
  const own = await upload("ada's own");
  const agent = await make({ type: "cortex", files: [own], retrieval: { docIds: [own] } });
  expect(agent).toMatchObject({ files: [own] });
  for (const id of [foreign, NOBODY]) {
    const fields = [{ files: [own, id] }, { retrieval: { docIds: [id] } }];
    for (const body of fields) {
      expect(
        (await ask("POST", "", { body: { name: "x", type: "cortex", ...body } })).body.code,
      ).toBe("document_not_found");
      expect((await ask("PATCH", `/${agent.id}`, { body })).body.code).toBe(
        "document_not_found",
      );
      const bulk = await ask("PATCH", "/bulk", {
        body: { items: [{ id: agent.id, ...body }] },
      });
      expect(bulk.body.results).toMatchObject([
        { success: false, code: "document_not_found" },
      ]);
    }
  }
  expect(
    (await ask("PATCH", `/${agent.id}`, { body: { description: "still" } })).body,
  ).toMatchObject({ files: [own] });
});

test("concurrent changes are never lost", async () => {
  const agent = await make();
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      ask("PATCH", `/${agent.id}`, { body: { description: `n${n}` } }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const { body } = await ask("GET", `/${agent.id}/versions?limit=100`);
  expect(
    new Set(
      body.items.map(
        ({ definition }) => (definition as { description: string }).description,
      ),
    ).size,
  ).toBe(13);
});

test("versions name their author, can be compared, and can be restored", async () => {
  const agent = await make({ instructions: "Be one." });
  const file = await upload("versions");
  await ask("PATCH", `/${agent.id}`, { body: { instructions: "Be two.", files: [file] } });
  const { body } = await ask("GET", `/${agent.id}/versions/diff?from=1&to=2`);
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
  expect((await ask("POST", `/${agent.id}/versions/1/restore`)).body).toMatchObject({
    instructions: "Be one.",
    files: [],
    version: 3,
  });
  expect((await ask("GET", `/${agent.id}/versions/9`)).body.code).toBe("version_not_found");
  expect((await ask("GET", `/${agent.id}/versions?limit=1`)).body).toMatchObject({
    total: 3,
    items: [{ version: 3 }],
  });
});

test("a bulk operation gives each item its own outcome", async () => {
  const [one, two, foreign] = [await make(), await make(), await make({}, bob)];
  const patched = await ask("PATCH", "/bulk", {
    body: {
      items: [
        { id: one.id, name: "A" },
        { id: foreign.id, name: "B" },
        { id: two.id, temperature: 9 },
      ],
    },
  });
  expect(patched.body.results.map(({ success, code }) => [success, code])).toEqual([
    [true, undefined],
    [false, "agent_not_found"],
    [false, "validation_failed"],
  ]);
  const put = await ask("PUT", "/bulk", {
    body: { items: [{ id: two.id, name: "C" }, { id: one.id }] },
  });
  expect(put.body.results.map(({ success }) => success)).toEqual([true, false]);
  const removed = await ask("DELETE", "/bulk", {
    body: { ids: [one.id, foreign.id, NOBODY] },
  });
  expect(removed.body.results.map(({ success }) => success)).toEqual([true, false, false]);
  expect((await ask("GET", `/${foreign.id}`, { token: bob })).body.name).toBe("Helper");
  const many = Array.from({ length: 101 }, () => ({ id: NOBODY }));
  expect((await ask("PATCH", "/bulk", { body: { items: many } })).body.code).toBe(
    "validation_failed",
  );
});

test("folders are nested 20 deep, also by moving folders that hold others", async () => {
  const folder = (name: string, parentId: string | null) =>
    ask("POST", "/folders", { body: { name, parentId }, token: bob });
  const chain = async (levels: number) => {
    const ids: string[] = [];
    for (let level = 0; level < levels; level += 1)
      ids.push((await folder(`level ${level}`, ids.at(-1) ?? null)).body.id);
    return ids;
  };
  const move = (id: string | undefined, parentId: string | undefined) =>
    ask("PATCH", `/folders/${id}`, { body: { parentId }, token: bob });
  const [long, short] = [await chain(15), await chain(6)];
  expect((await move(short[0], long[14])).body.code).toBe("folder_too_deep");
  expect((await move(short[0], long[13])).status).toBe(200);
  expect((await folder("one more", short[5] ?? null)).body.code).toBe("folder_too_deep");
  await move(short[0], long[0]);
  for (const id of [short[0], long[0]])
    await ask("DELETE", `/folders/${id}`, { token: bob });
  const { items } = (await ask("GET", "/folders?limit=100", { token: bob }))
    .body as unknown as {
    items: { id: string }[];
  };
  for (const { id } of items) await ask("DELETE", `/folders/${id}`, { token: bob });
});

test("folders form a tree with moves but without cycles, also with concurrent moves", async () => {
  const folder = async (name: string, parentId: string | null = null) =>
    (await ask("POST", "/folders", { body: { name, parentId }, token: bob })).body.id;
  const move = (id: string, parentId: string | null) =>
    ask("PATCH", `/folders/${id}`, { body: { parentId }, token: bob });
  const [top, inner] = [await folder("top"), await folder("other")];
  const leaf = await folder("leaf", inner);
  const agent = await make({ folderId: leaf, name: "Deep" }, bob);
  expect((await move(inner, leaf)).body.code).toBe("folder_cycle");
  expect((await move(inner, inner)).body.code).toBe("folder_cycle");
  const both = await Promise.all([move(top, inner), move(inner, top)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  await move(top, null);
  await move(inner, top);
  const tree = (await ask("GET", "/tree", { token: bob })).body as unknown as {
    folders: { name: string; children: unknown[] }[];
  };
  expect(tree.folders).toMatchObject([
    {
      name: "top",
      children: [
        { name: "other", children: [{ name: "leaf", agents: [{ name: "Deep" }] }] },
      ],
    },
  ]);
  expect((await ask("PATCH", `/folders/${top}`, { body: { name: "x" } })).body.code).toBe(
    "folder_not_found",
  );
  expect(
    (await ask("PATCH", `/${agent.id}`, { body: { folderId: NOBODY }, token: bob })).body
      .code,
  ).toBe("folder_not_found");
  await ask("DELETE", `/folders/${leaf}`, { token: bob });
  expect((await ask("GET", `/${agent.id}`, { token: bob })).body["folderId"]).toBe(inner);
  expect((await ask("GET", "/folders?limit=1", { token: bob })).body).toMatchObject({
    total: 2,
    items: [{ name: "other" }],
  });
});

test("everyone uses agents of the organisation and built-in ones; only administrators change the former", async () => {
  const agent = await make({ type: "organization", name: "Company rules" }, parlance.token);
  const list = (await ask("GET", "/organization?limit=100")).body;
  const builtIn = list.items.find(({ name }) => name === "Assistant");
  expect(list.items.map(({ name }) => name)).toContain("Company rules");
  expect((await ask("PATCH", `/${agent.id}`, { body: { name: "Mine" } })).body.code).toBe(
    "agent_read_only",
  );
  expect(
    (
      await ask("PATCH", `/${agent.id}`, {
        body: { name: "Better rules" },
        token: parlance.token,
      })
    ).body.name,
  ).toBe("Better rules");
  expect(
    (
      await ask("PATCH", `/${builtIn?.id}`, {
        body: { name: "Mine" },
        token: parlance.token,
      })
    ).body.code,
  ).toBe("agent_read_only");
  expect((await ask("DELETE", `/${builtIn?.id}`, { token: parlance.token })).status).toBe(
    403,
  );
  expect((await talk({ agentId: builtIn?.id })).status).toBe(200);
});

test("a shared agent can be used, changed by an editor, and deleted only by its owner", async () => {
  const agent = await make();
  const bobId = (
    (await (await parlance.request("/api/v1/auth/me", { token: bob })).json()) as Body
  ).id;
  const share = (accessRole: string) =>
    parlance.request("/api/v1/sharing/share", {
      token: ada,
      body: {
        resourceType: "agent",
        resourceId: agent.id,
        shares: [{ subjectType: "user", subjectId: bobId, accessRole }],
      },
    });
  expect((await share("viewer")).status).toBe(201);
  expect((await talk({ agentId: agent.id }, bob)).status).toBe(200);
  expect(
    (await ask("PATCH", `/${agent.id}`, { body: { name: "Bob's" }, token: bob })).status,
  ).toBe(403);
  await share("editor");
  expect(
    (await ask("PATCH", `/${agent.id}`, { body: { name: "Bob's" }, token: bob })).body.name,
  ).toBe("Bob's");
  expect((await ask("DELETE", `/${agent.id}`, { token: bob })).status).toBe(403);
});

test("a list narrows to own agents, shared ones, those of the organisation, or a folder, and says what one may do", async () => {
  const newcomer = await newPerson(parlance, "lists-agents");
  const asNewcomer = { token: newcomer.token };
  const folder = await ask("POST", "/folders", { body: { name: "Sorted" }, ...asNewcomer });
  await make({ name: "Lying loose" }, newcomer.token);
  await make({ name: "Sorted in", folderId: folder.body.id }, newcomer.token);
  const shared = await make({ name: "From Ada" });
  await parlance.request("/api/v1/sharing/share", {
    token: ada,
    body: {
      resourceType: "agent",
      resourceId: shared.id,
      shares: [{ subjectType: "user", subjectId: newcomer.id, accessRole: "editor" }],
    },
  });
  const names = async (query: string) => {
    const { items } = (await ask("GET", `?limit=100&${query}`, asNewcomer)).body;
    return items.map(({ name }) => name);
  };
  expect(await names("")).toEqual(["Sorted in", "Lying loose"]);
  expect(await names(`folderId=${folder.body.id}`)).toEqual(["Sorted in"]);
  expect(await names("folderId=none")).toEqual(["Lying loose"]);
  expect(await names("scope=shared")).toEqual(["From Ada"]);
  expect(await names("scope=organization")).toContain("Assistant");
  expect(await names("scope=all&query=ada")).toEqual(["From Ada"]);
  const { items } = (await ask("GET", "?scope=shared", asNewcomer)).body;
  expect(items).toMatchObject([{ role: "editor", ownerName: "ada" }]);
  const tree = (await ask("GET", "/tree?agents=none", asNewcomer)).body;
  expect(tree).toMatchObject({ folders: [{ name: "Sorted", agents: [] }], agents: [] });
});

/** A service that runs alone does not create any. */
const SECRETS = Object.fromEntries(
  [
    "MCP_SERVICE_SECRET",
    "COMPLETION_SERVICE_SECRET",
    "USER_SERVICE_SECRET",
    "SERVICE_SECRET",
    "ENCRYPTION_KEY",
  ].map((name) => [name, randomBytes(32).toString("base64")]),
);

test.each([
  [{ type: "cortex" }, "retrieval_unavailable"],
  [{ type: "workflow", flowId: "flow" }, "flows_unavailable"],
])(
  "an agent whose service does not run here says so and answers nothing: %j",
  async (fields, code) => {
    await using small = await startTestServer(SECRETS, [
      "users",
      "core",
      "agent",
      "tool-gateway",
      "completion",
    ]);
    const made = (await (
      await small.request("/api/v1/agent", {
        body: { name: "Stands on others", ...fields },
      })
    ).json()) as {
      id: string;
    };
    const answer = await small.request("/api/v1/conversation", {
      body: { content: "hello", agentId: made.id },
    });
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
      503,
      code,
    ]);
    expect(answer.headers.get("retry-after")).toBe("60");
    const history = (await (
      await small.request("/api/v1/conversation/chat-history")
    ).json()) as {
      total: number;
    };
    expect(history.total).toBe(0);
  },
);

test("an agent answers with its instructions, model and temperature, stays with its conversation, and its version is stored with the message", async () => {
  const agent = await make({
    instructions: "Talk like a pirate.",
    model: "openai/gpt-other",
    temperature: 0.2,
  });
  const first = await talk({ agentId: agent.id, instructions: "Be brief." });
  const asked = provider.requests.find(({ messages }) =>
    JSON.stringify(messages).includes("pirate"),
  );
  expect(asked).toMatchObject({ model: "gpt-other", temperature: 0.2 });
  expect(asked?.messages[0]).toEqual({
    role: "system",
    content: "Talk like a pirate.\n\nBe brief.",
  });
  await ask("PATCH", `/${agent.id}`, { body: { instructions: "Talk like a poet." } });
  await talk({ conversationId: first.body.conversationId });
  await talk({ conversationId: first.body.conversationId, agentId: null });
  const whole = (await (
    await parlance.request(`/api/v1/conversation/${first.body.conversationId}`, {
      token: ada,
    })
  ).json()) as {
    agentId: unknown;
    messages: Body[];
  };
  expect(whole.agentId).toBeNull();
  expect(
    whole.messages
      .filter(({ role }) => role === "assistant")
      .map(({ agentId, agentVersion }) => [agentId, agentVersion]),
  ).toEqual([
    [agent.id, 1],
    [agent.id, 2],
    [null, null],
  ]);
  expect(
    provider.requests.filter(({ messages }) => JSON.stringify(messages).includes("poet")),
  ).toHaveLength(1);
});

test("two versions of an agent answer the same question", async () => {
  const agent = await make({ instructions: "Talk like a pirate." });
  await ask("PATCH", `/${agent.id}`, { body: { instructions: "Talk like a poet." } });
  provider.requests.length = 0;
  const old = await talk({ agentId: agent.id, agentVersion: 1 });
  const { conversationId, messageId } = old.body;
  await parlance.request(`/api/v1/conversation/${conversationId}/regenerate`, {
    token: ada,
    body: { messageId, agentId: agent.id, agentVersion: 2, stream: false },
  });
  const asked = provider.requests.map(({ messages }) => messages[0]?.content);
  expect(asked).toEqual(
    expect.arrayContaining(["Talk like a pirate.", "Talk like a poet."]),
  );
  const whole = (await (
    await parlance.request(`/api/v1/conversation/${conversationId}`, { token: ada })
  ).json()) as { messages: Body[] };
  const answers = whole.messages.filter(({ role }) => role === "assistant");
  expect(answers.map(({ agentVersion }) => agentVersion)).toEqual([1, 2]);
  const unknown = await talk({ agentId: agent.id, agentVersion: 9 });
  expect([unknown.status, unknown.body.code]).toEqual([404, "version_not_found"]);
});

test("a conversation whose agent was deleted says so, and continues with another agent or none", async () => {
  const agent = await make({ name: "Short-lived" });
  const { body: first } = await talk({ agentId: agent.id });
  await ask("DELETE", `/${agent.id}`);
  const conversationId = first.conversationId;
  const gone = {
    status: 409,
    body: { code: "agent_gone", details: { agentId: agent.id } },
  };
  expect(await talk({ conversationId })).toMatchObject(gone);
  const again = async (more: object) => {
    const response = await parlance.request(
      `/api/v1/conversation/${conversationId}/regenerate`,
      {
        token: ada,
        body: { messageId: first.messageId, stream: false, ...more },
      },
    );
    return { status: response.status, body: (await response.json()) as object };
  };
  expect(await again({})).toMatchObject(gone);
  expect((await again({ agentId: null })).status).toBe(200);
  const other = await make({ name: "Heir" });
  expect((await talk({ conversationId, agentId: other.id })).status).toBe(200);
  expect((await talk({ conversationId })).status).toBe(200);
  // an explicitly named agent is not the one that answered before
  expect(await talk({ agentId: agent.id })).toMatchObject({
    status: 404,
    body: { code: "agent_not_found" },
  });
});

test("a deleted agent is in its owner's trash and can be restored", async () => {
  const agent = await make({ name: "Gone" });
  expect((await ask("DELETE", `/${agent.id}`)).status).toBe(204);
  expect((await ask("GET", `/${agent.id}`)).status).toBe(404);
  expect((await talk({ agentId: agent.id })).status).toBe(404);
  expect((await ask("GET", "/trash")).body.items.map(({ name }) => name)).toContain("Gone");
  expect((await ask("POST", `/${agent.id}/restore`)).body.name).toBe("Gone");
  expect((await ask("POST", `/${agent.id}/restore`)).status).toBe(404);
  expect((await ask("GET", `/${agent.id}`)).status).toBe(200);
});
