import { afterAll, beforeAll, expect, test } from "vitest";
import { askBelow } from "./support/ask.ts";
import type { TestServer } from "./support/server.ts";
import type { ScriptedProvider } from "./support/scripted-provider.ts";
import { type ScriptedServer, startScriptedServer } from "./support/scripted-server.ts";

let server: ScriptedServer;
let parlance: TestServer;
let provider: ScriptedProvider;
let bob: string;
const NOBODY = "01a1fb8b-2522-72b4-a6e7-60a70d8e06b0";
beforeAll(async () => {
  server = await startScriptedServer();
  ({ parlance, provider, bob } = server);
  provider.answer((_, { messages }) => ({
    text: [
      String(messages[0]?.content).startsWith("Write a title")
        ? (String(messages[1]?.content).split(":")[0] ?? "")
        : "Noted.",
    ],
  }));
});
afterAll(() => server[Symbol.asyncDispose]());

const ask = askBelow(() => parlance, "/api/v1/conversation");
const say = async (content: string, more: object = {}, token?: string) =>
  (
    await ask("POST", "", {
      body: { content, stream: false, ...more },
      ...(token && { token }),
    })
  ).body;
const found = async (query: Record<string, string>, token?: string) => {
  const { body } = await ask(
    "GET",
    `/search?${new URLSearchParams(query)}`,
    token ? { token } : {},
  );
  return body.items.map(({ title }) => title);
};

test("search finds the user's own conversations by words of titles and messages, by prefixes, in any language", async () => {
  const heating = await say("Heating: der Heizungsmonteur aus Köln kommt am Dienstag");
  await say("anything else?", { conversationId: heating.conversationId });
  await say("Budget: the heating costs of last year");
  await say("Secret: heating plans of somebody else", {}, bob);
  expect((await found({ query: "heating" })).sort()).toEqual(["Budget", "Heating"]);
  expect(await found({ query: "köln dienstag" })).toEqual(["Heating"]);
  expect(await found({ query: "heizungsmon" })).toEqual(["Heating"]);
  // no conversation has every word: finds those with any; stop words count for nothing
  expect((await found({ query: "köln budget" })).sort()).toEqual(["Budget", "Heating"]);
  expect(await found({ query: "when does the plumber come to köln" })).toEqual(["Heating"]);
  expect(await found({ query: "the nowhere" })).toEqual([]);
  expect(await found({ query: "heating" }, bob)).toEqual(["Secret"]);
  // words of the title and of messages count together, wherever they occur
  expect(await found({ query: "anything köln heating" })).toEqual(["Heating"]);
  expect(await found({ sort: "title", order: "asc" })).toEqual(["Budget", "Heating"]);
  expect(await found({ query: "heating", sort: "createdAt", order: "asc" })).toEqual([
    "Heating",
    "Budget",
  ]);
});

test.each([
  ["munchen", "München"],
  ["MÜNCHEN", "München"],
  ["mu\u0308nchen", "München"],
  ["strasse", "Straße"],
  ["straße", "Straße"],
  ["strass", "Straße"],
  ["lodz", "Łódź"],
  ["creme", "crème"],
  ["œuvre", "Oeuvre"],
  ["ελλαδα", "Ελλάδα"],
  ["munchenstein", null],
])("a search for %s finds and marks %s", async (query, spelling) => {
  if (query === "munchen")
    await say("Diacritics: d'Straße in München, \\crème brûlée in Łódź, an Oeuvre; Ελλάδα");
  const { body } = await ask("GET", `/search?${new URLSearchParams({ query })}`);
  expect(body.items.map(({ title }) => title)).toEqual(spelling ? ["Diacritics"] : []);
  if (spelling) expect(body.items[0]?.snippet).toContain(`<mark>${spelling}</mark>`);
});

test.each([
  "' | ! & ( ) : * <-> \\",
  "\u0308",
  "\ufb2c".repeat(500),
  "a'b",
  "<script>",
  "!!!",
  "%_%",
  "𝕏".repeat(400),
])("a query of %j is words, not operators", async (query) => {
  expect((await ask("GET", `/search?${new URLSearchParams({ query })}`)).status).toBe(200);
});

test("a snippet shows the match, with no other markup", async () => {
  await say("Markup: the <img src=x onerror=alert(1)> zebra \ue000crosses\ue001 & runs");
  const { body } = await ask("GET", "/search?query=zebra");
  expect(body.items[0]?.snippet).toContain("<mark>zebra</mark>");
  expect(body.items[0]?.snippet.replaceAll(/<\/?mark>/g, "")).not.toMatch(/[<>\ue000]/);
});

test("tags can be set, combined in a search and listed, and are private", async () => {
  const one = await say("Tagged one: alpha");
  const two = await say("Tagged two: alpha");
  const tag = (id: string, tags: string[], token?: string) =>
    ask("PATCH", `/${id}`, { body: { tags }, ...(token && { token }) });
  expect((await tag(one.conversationId, ["Work", "work", "Berlin"])).body["tags"]).toEqual([
    "Berlin",
    "Work",
  ]);
  await tag(two.conversationId, ["work"]);
  expect((await found({ tags: "work" })).sort()).toEqual(["Tagged one", "Tagged two"]);
  expect(await found({ tags: "WORK,berlin", query: "alpha" })).toEqual(["Tagged one"]);
  expect(await found({ tags: "work" }, bob)).toEqual([]);
  expect((await ask("GET", "/tags")).body.items).toEqual([
    { name: "Berlin", conversations: 1 },
    { name: "Work", conversations: 2 },
  ]);
  await tag(one.conversationId, []);
  expect((await ask("GET", "/tags")).body.items).toEqual([
    { name: "Work", conversations: 1 },
  ]);
  expect((await tag(one.conversationId, [" "])).status).toBe(400);
  expect((await tag(one.conversationId, ["mine"], bob)).status).toBe(404);
});

const NO_REACTION = { reaction: null, reasons: [], comment: null };

test("a message can be liked, disliked with a reason, and neither; another user's does not exist", async () => {
  const { messageId, conversationId } = await say("Liked: hello");
  const path = `/message-reaction/${messageId}`;
  expect((await ask("GET", path)).body).toEqual(NO_REACTION);
  const like = { reaction: "like", reasons: ["wrong"] };
  // what is wrong belongs to a dislike
  expect((await ask("POST", path, { body: like })).body).toEqual({
    ...NO_REACTION,
    reaction: "like",
  });
  const dislike = { reaction: "dislike", comment: "too short" };
  await ask("POST", path, { body: { ...dislike, reasons: ["wrong", "wrong", "unsafe"] } });
  expect((await ask("GET", path)).body).toEqual({
    ...dislike,
    reasons: ["wrong", "unsafe"],
  });
  const messages = (await ask("GET", `/${conversationId}`)).body["messages"] as {
    reaction: unknown;
  }[];
  expect(messages.map(({ reaction }) => reaction)).toEqual([null, "dislike"]);
  expect(
    (await ask("POST", path, { body: { reaction: null } })).body["reaction"],
  ).toBeNull();
  for (const id of [messageId, NOBODY]) {
    expect((await ask("GET", `/message-reaction/${id}`, { token: bob })).status).toBe(404);
    expect(
      (
        await ask("POST", `/message-reaction/${id}`, {
          token: bob,
          body: { reaction: "like" },
        })
      ).status,
    ).toBe(404);
  }
  expect((await ask("GET", path)).body).toEqual(NO_REACTION);
  for (const body of [
    { reaction: "love" },
    { reaction: "dislike", reasons: ["ugly"] },
    { reaction: "dislike", comment: "c".repeat(4_001) },
  ])
    expect((await ask("POST", path, { body })).status).toBe(400);
  expect((await ask("GET", path, { token: null })).status).toBe(401);
});

test("a deleted conversation is in the trash, can be restored or deleted for good, and its usage stays", async () => {
  const { conversationId } = await say("Trash: hello");
  const usage = async () => {
    const { items } = (await (
      await parlance.request("/api/v1/usage?groupBy=user")
    ).json()) as {
      items: { requests: number }[];
    };
    return items.reduce((sum, { requests }) => sum + requests, 0);
  };
  expect((await ask("DELETE", `/${conversationId}`)).status).toBe(204);
  expect(await found({ query: "trash" })).toEqual([]);
  expect((await ask("GET", "/trash")).body.items.map(({ id }) => id)).toEqual([
    conversationId,
  ]);
  expect((await ask("GET", "/trash", { token: bob })).body.total).toBe(0);
  expect((await ask("POST", `/${conversationId}/restore`, { token: bob })).status).toBe(
    404,
  );
  expect((await ask("POST", `/${conversationId}/restore`)).body.title).toBe("Trash");
  expect((await ask("DELETE", `/trash/${conversationId}`)).status).toBe(404);
  await ask("DELETE", `/${conversationId}`);
  expect((await ask("DELETE", `/trash/${conversationId}`, { token: bob })).status).toBe(
    404,
  );
  const before = await usage();
  expect((await ask("DELETE", `/trash/${conversationId}`)).status).toBe(204);
  expect((await ask("POST", `/${conversationId}/restore`)).status).toBe(404);
  expect(await usage()).toBeGreaterThanOrEqual(before);
});

test("a conversation is exported as Markdown and JSON, with a safe file name", async () => {
  const { conversationId } = await say("Export: grüße");
  await ask("PATCH", `/${conversationId}`, {
    body: { title: 'a/../"b\r\nSet-Cookie: x=1 😀' },
  });
  const md = await ask("GET", `/${conversationId}/export`);
  expect(md.headers.get("content-disposition")).toMatch(
    /^attachment; filename="[\x20-\x21\x23-\x5b\x5d-\x7e]+\.md"; filename\*=UTF-8''[\w.%~-]+$/,
  );
  expect(md.headers.get("set-cookie")).toBeNull();
  expect(md.headers.get("x-content-type-options")).toBe("nosniff");
  expect(md.text).toContain("Export: grüße");
  expect(md.text).toContain("Noted.");
  const json = await ask("GET", `/${conversationId}/export?format=json`);
  expect(json.body["messages"]).toHaveLength(2);
  expect((await ask("GET", `/${conversationId}/export?format=exe`)).status).toBe(400);
  expect((await ask("GET", `/${conversationId}/export`, { token: bob })).status).toBe(404);
});

test.each([
  "/search?limit=101",
  "/search?sort=random",
  "/search?order=up",
  "/tags?page=0",
  "/trash?limit=0",
  `/search?query=${"x".repeat(501)}`,
])("%s is refused", async (path) => {
  expect((await ask("GET", path)).body.code).toBe("validation_failed");
});
