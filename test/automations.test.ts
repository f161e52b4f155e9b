import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestServer, startTestServer } from "./support/server.ts";

let parlance: TestServer;
let agent: string;
let foreign: string;
let other: string;
const NOBODY = "01a1fb8b-2522-72b4-a6e7-60a70d8e06b0";
beforeAll(async () => {
  parlance = await startTestServer();
  await parlance.request("/api/v1/users", {
    body: { email: "bob@test.example", name: "Bob", password: "a long enough password" },
  });
  const bob = await parlance.signIn("bob@test.example", "a long enough password");
  const make = async (token: string) =>
    (
      (await (
        await parlance.request("/api/v1/agent", { token, body: { name: "Agent" } })
      ).json()) as { id: string }
    ).id;
  [agent, other, foreign] = [
    await make(parlance.token),
    await make(parlance.token),
    await make(bob),
  ];
});
afterAll(() => parlance[Symbol.asyncDispose]());

interface Body {
  id: number;
  code: string;
  error: string;
  [field: string]: unknown;
}
const ask = async (
  method: string,
  path: string,
  { token, body }: { token?: string | null; body?: unknown } = {},
) => {
  const response = await parlance.request(`/api/automations${path}`, {
    method,
    body,
    ...(token !== undefined && { token }),
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Body,
  };
};
const make = async (body: object) =>
  (
    await ask("POST", "", {
      body: { name: "Rule", type: "audio/*", agents: [agent], ...body },
    })
  ).body;

test("a rule can be created, read, listed as a bare array with a count, searched, changed and deleted", async () => {
  const rule = await make({
    name: "Minutes",
    origin: "uploads/**",
    agents: [
      agent,
      { id: other, priority: 2, timeout: 60, retry_count: 1, depends_on: [agent] },
    ],
  });
  expect(Object.keys(rule).sort()).toEqual([
    "agents",
    "client_id",
    "created_at",
    "id",
    "is_active",
    "last_update",
    "name",
    "origin",
    "scope",
    "type",
    "user_id",
  ]);
  expect(rule).toMatchObject({
    name: "Minutes",
    type: "audio/*",
    origin: "uploads/**",
    is_active: true,
    client_id: "default",
  });
  expect(typeof rule.id).toBe("number");
  const second = await make({ type: "application/pdf", origin: "mail" });
  const list = await ask("GET", "?page=1&limit=1");
  expect(list.headers.get("x-total-count")).toBe("2");
  expect(list.body).toMatchObject([{ id: rule.id }]);
  expect((await ask("GET", "/search?origin=MAIL&type=pdf")).body).toMatchObject([
    { id: second.id },
  ]);
  const changed = await ask("PATCH", `/${rule.id}`, {
    body: { is_active: false, id: 999, created_at: "1999-01-01T00:00:00Z" },
  });
  expect(changed.body).toEqual({ success: `Rule ${rule.id} was changed.` });
  expect((await ask("GET", `/${rule.id}`)).body).toMatchObject({
    id: rule.id,
    is_active: false,
    created_at: rule["created_at"],
  });
  expect((await ask("DELETE", `/${rule.id}`)).body).toEqual({
    message: `Rule ${rule.id} was deleted.`,
  });
  for (const [method, body] of [["GET"], ["PATCH", {}], ["DELETE"]] as const)
    expect([method, (await ask(method, `/${rule.id}`, { body })).body.code]).toEqual([
      method,
      "rule_not_found",
    ]);
  await ask("DELETE", `/${second.id}`);
});

test("unknown, foreign, duplicate and cyclic agents are refused", async () => {
  const code = async (agents: unknown) =>
    (await ask("POST", "", { body: { name: "x", type: "*", agents } })).body;
  expect((await code([NOBODY])).code).toBe("agents_invalid");
  expect((await code([foreign])).code).toBe("agents_invalid");
  expect((await code([agent, agent])).error).toContain("twice");
  expect((await code([{ id: agent, depends_on: [other] }])).error).toContain(
    "not in this rule",
  );
  const circle = await code([
    { id: agent, depends_on: [other] },
    { id: other, depends_on: [agent] },
  ]);
  expect(circle.error).toContain(`${agent} → ${other} → ${agent}`);
  expect((await code([])).code).toBe("validation_failed");
  expect((await code(["x"])).code).toBe("validation_failed");
  const misspelt = await code([{ id: crypto.randomUUID(), retries: 3 }]);
  expect([misspelt.code, JSON.stringify(misspelt)]).toEqual([
    "validation_failed",
    expect.stringMatching(/body\.agents\.0.*retries/),
  ]);
});

test("match returns the rule and the reason, changes apply at once, and inactive rules are left out", async () => {
  const any = await make({ name: "Any", type: "*", origin: "*" });
  const music = await make({ name: "Music", type: "audio/mpeg", origin: "uploads/*" });
  const match = async (body: object) =>
    (await ask("POST", "/match", { body })).body as unknown as {
      rule: { id: number } | null;
      reason: string;
      candidates: unknown[];
    };
  const found = await match({
    filename: "song.mp3",
    type: "audio/mpeg",
    path: "uploads/song.mp3",
  });
  expect(found).toMatchObject({
    rule: { id: music.id },
    candidates: [{ id: music.id }, { id: any.id }],
  });
  expect(found).toMatchObject({
    reason: expect.stringContaining("most specific of 2") as string,
    code: "most_specific_rule",
    params: { name: "Music", count: 2 },
    candidates: [
      { id: music.id, typeMatch: "type", originMatch: "uploads/*" },
      { id: any.id, typeMatch: "any", originMatch: "*" },
    ],
  });
  expect((await match({ type: "application/pdf" })).rule?.id).toBe(any.id);
  await ask("PATCH", `/${music.id}`, { body: { is_active: false } });
  expect((await match({ type: "audio/mpeg", path: "uploads/song.mp3" })).rule?.id).toBe(
    any.id,
  );
  await ask("DELETE", `/${any.id}`);
  expect(await match({ type: "audio/mpeg" })).toMatchObject({
    rule: null,
    reason: "No active rule matches the type and the origin.",
    code: "no_rule_matches",
  });
});

test("a family of types, with or without its asterisk, is less specific than a type", async () => {
  const made = await Promise.all([
    make({ name: "Sounds", type: "audio" }),
    make({ name: "All sounds", type: "audio/*" }),
    make({ name: "Music", type: "audio/mpeg" }),
  ]);
  const ids = made.map(({ id }) => id);
  const [family, all, music] = ids;
  const candidates = async (type: string) => {
    const { body } = await ask("POST", "/match", { body: { type } });
    const found = body as unknown as { candidates: { id: number }[] };
    return found.candidates.map(({ id }) => id);
  };
  const ofMusic = await candidates("audio/mpeg");
  expect(ofMusic[0]).toBe(music);
  expect(new Set(ofMusic)).toEqual(new Set(ids));
  expect(new Set(await candidates("audio/wav"))).toEqual(new Set([family, all]));
  for (const id of ids) await ask("DELETE", `/${id}`);
});

test("rules are found by a part of their name, type or origin, and by their scope", async () => {
  const rule = await make({ name: "Field reports", type: "text/*", origin: "reports/**" });
  const own = await make({ name: "My reports", scope: "personal" });
  const found = async (query: string) =>
    (await ask("GET", `/search?${query}`)).body as unknown as { id: number }[];
  const ids = async (query: string) => (await found(query)).map(({ id }) => id);
  expect(await ids("q=FIELD")).toEqual([rule.id]);
  expect(await ids("q=reports/")).toEqual([rule.id]);
  expect(await ids("q=reports")).toEqual([rule.id, own.id]);
  expect(await ids("q=reports&scope=personal")).toEqual([own.id]);
  await ask("DELETE", `/${rule.id}`);
  await ask("DELETE", `/${own.id}`);
});

test("a rule that is being written is held against given media, and its stored version is left out", async () => {
  const exact = await make({
    name: "Exact",
    type: "text/markdown",
    origin: "uploads/a.md",
  });
  const preview = async (body: object) =>
    (await ask("POST", "/preview", { body })).body as unknown as {
      items: Record<string, unknown>[];
    };
  const media = [
    { filename: "a.md", mimeType: "text/markdown", path: "uploads/a.md" },
    { filename: "b.md", mimeType: "text/markdown", path: "uploads/b.md" },
    { filename: "c.mp3", mimeType: "audio/mpeg", path: "uploads/c.mp3" },
    { filename: "d.mp3", mimeType: "audio/mpeg", path: "elsewhere/d.mp3" },
  ];
  const { items } = await preview({ type: "text/*", origin: "uploads/*", media });
  expect(items).toMatchObject([
    {
      fits: true,
      typeMatch: "family",
      originMatch: "uploads/*",
      outcome: "other_rule",
      rule: { id: exact.id, name: "Exact" },
    },
    { fits: true, outcome: "this_rule", rule: null },
    { fits: false, typeMatch: null, originMatch: "uploads/*", outcome: "no_rule" },
    { fits: false, typeMatch: null, originMatch: null, outcome: "no_rule" },
  ]);
  const itself = await preview({
    ruleId: exact.id,
    type: "text/*",
    origin: "uploads/*",
    media,
  });
  expect(itself.items[0]).toMatchObject({ outcome: "this_rule", rule: null });
  expect((await ask("POST", "/preview", { body: { type: "" } })).body.code).toBe(
    "validation_failed",
  );
  await ask("DELETE", `/${exact.id}`);
});

test("without given media a rule is held against the last ones received, newest first", async () => {
  const send = async (name: string) => {
    const form = new FormData();
    form.append("origin", "scanner");
    form.append("file", new File(["# Title"], name));
    const headers = { authorization: `Bearer ${parlance.token}` };
    const url = `${parlance.url}/api/automations/media`;
    await fetch(url, { method: "POST", headers, body: form });
  };
  await send("one.md");
  await send("two.md");
  const { body } = await ask("POST", "/preview", { body: { type: "md", origin: "scan*" } });
  expect(body).toMatchObject({
    items: [
      { filename: "two.md", origin: "scanner", typeMatch: "type", outcome: "this_rule" },
      { filename: "one.md", origin: "scanner" },
    ],
  });
});

test("the type of a file is detected as of a medium, and nothing is kept", async () => {
  const inspect = async (bytes: string, name: string) => {
    const form = new FormData();
    form.append("file", new File([bytes], name));
    const headers = { authorization: `Bearer ${parlance.token}` };
    const url = `${parlance.url}/api/automations/media/inspect`;
    return (
      await fetch(url, { method: "POST", headers, body: form })
    ).json() as Promise<object>;
  };
  const runs = async () => (await ask("GET", "/runs")).body["total"];
  const before = await runs();
  expect(await inspect("%PDF-1.7 and more", "a.txt")).toEqual({
    filename: "a.txt",
    mimeType: "application/pdf",
    size: 17,
  });
  expect(await inspect("x".repeat(100_000), "a.csv")).toMatchObject({
    mimeType: "text/csv",
  });
  expect(await inspect("", "a.csv")).toMatchObject({ code: "file_empty" });
  expect(await inspect("\0\u0001\u0002", "a.bin")).toMatchObject({
    code: "file_type_unsupported",
  });
  expect(await runs()).toBe(before);
});

test.each(["?limit=101", "?page=0", "/x", "/0", "/search?limit=0"])(
  "%s is refused",
  async (path) => {
    expect((await ask("GET", path)).body.code).toBe("validation_failed");
    expect((await ask("GET", path, { token: null })).status).toBe(401);
  },
);
