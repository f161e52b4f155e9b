import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { askBelow, newPerson } from "./support/ask.ts";
import { held } from "./support/held.ts";
import {
  isTitle,
  type ScriptedProvider,
  startScriptedProvider,
} from "./support/scripted-provider.ts";
import { type TestServer, startTestServer } from "./support/server.ts";

/** Streams that are open when what a group gives to its members ends. */
let provider: ScriptedProvider;
let parlance: TestServer;
let serial = 0;
let member: { id: string; token: string };
let group: string;
const ask = askBelow(() => parlance, "/api/v1");

beforeAll(async () => {
  provider = await startScriptedProvider();
  // a reply that continues until it is stopped
  const text = Array.from({ length: 2_000 }, (_, n) => `${n} `);
  provider.answer((_, body) => (isTitle(body) ? { text: ["t"] } : { text, delayMs: 30 }));
  parlance = await startTestServer({
    OPENAI_API_KEY: "key",
    OPENAI_BASE_URL: provider.url,
    OPENAI_MODELS: "gpt-test",
  });
  await ask("POST", "/roles", { body: { name: "nothing", permissions: [] } });
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});
beforeEach(async () => {
  serial += 1;
  member = await newPerson(parlance, `member-${serial}`);
  group = (await ask("POST", "/groups", { body: { name: `Group ${serial}` } })).body.id;
  expect((await ask("PUT", `/groups/${group}/members/${member.id}`)).status).toBe(204);
});

/** The ways in which a group stops giving anything to its member. */
const ENDS = {
  "the membership ends": () => ask("DELETE", `/groups/${group}/members/${member.id}`),
  "the group is deleted": () => ask("DELETE", `/groups/${group}`),
};
const LOSSES = {
  ...ENDS,
  "the group's roles are changed": () =>
    ask("PATCH", `/groups/${group}`, { body: { roles: [] } }),
};

const lastEvent = async (stream: Response) =>
  (await stream.text()).split("\n\n").findLast((block) => block.includes("data: ")) ?? "";

describe("roles of a group", () => {
  const model = "openai/gpt-test";
  const messages = [{ role: "user", content: "Count." }];
  const open = (path: string, body: object) =>
    parlance.request(path, { token: member.token, body });

  beforeEach(async () => {
    await ask("PATCH", `/groups/${group}`, { body: { roles: ["user"] } });
    const roles = { roles: ["nothing"] };
    expect((await ask("PATCH", `/users/${member.id}`, { body: roles })).status).toBe(200);
    member.token = await parlance.signIn(
      `member-${serial}@test.example`,
      "a long enough password",
    );
  });

  test.each(Object.entries(LOSSES))(
    "streams of every kind end with the reason, and their work at the model, when %s",
    async (_, lose) => {
      const before = provider.aborted;
      const streams = await Promise.all([
        open("/api/v1/conversation", { content: "Count." }),
        open("/v1/chat/completions", { model, messages, stream: true }),
        open("/api/v1/agent/run", { model, messages }),
        open("/api/v1/conversion", { type: "grammar", text: "Helo.", model, stream: true }),
      ]);
      expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      const ends = streams.map(lastEvent);
      expect((await lose()).status).toBeLessThan(300);
      for (const end of ends) expect(await end).toContain("permission_missing");
      const atModel = before + streams.length;
      await vi.waitFor(() => expect(provider.aborted).toBe(atModel), 90_000);
      held("revocation", streams.length);
    },
  );

  const withDisabled = {
    ...LOSSES,
    "the account is disabled": () =>
      ask("PATCH", `/users/${member.id}`, { body: { disabled: true } }),
  };
  test.each(Object.entries(withDisabled))(
    "a reply that nobody reads ends at the model, too, when %s",
    async (_, lose) => {
      const before = provider.aborted;
      const stream = await open("/api/v1/conversation", { content: "Count." });
      const reader = stream.body?.getReader();
      await reader?.read();
      await reader?.cancel();
      expect((await lose()).status).toBeLessThan(300);
      await vi.waitFor(() => expect(provider.aborted).toBe(before + 1), 90_000);
      held("revocation");
    },
  );
});

describe("what is shared with a group", () => {
  test.each(Object.entries(ENDS))(
    "the reply's stream of a member ends when %s, and the owner's continues",
    async (_, lose) => {
      const own = await parlance.request("/api/v1/conversation", {
        body: { content: "Count." },
      });
      const events = own.body?.pipeThrough(new TextDecoderStream()).getReader();
      const first = (await events?.read())?.value ?? "";
      const id = /"conversationId":"([^"]+)"/.exec(first)?.[1] ?? "";
      const share = {
        resourceType: "conversation",
        resourceId: id,
        shares: [{ subjectType: "group", subjectId: group, accessRole: "viewer" }],
      };
      await vi.waitFor(async () => {
        const shared = await ask("POST", "/sharing/share", { body: share });
        expect(shared.status).toBe(201);
      }, 90_000);
      const path = `/conversation/${id}/stream`;
      const read = await parlance.request(`/api/v1${path}`, { token: member.token });
      expect(read.status).toBe(200);
      const end = lastEvent(read);
      expect((await lose()).status).toBe(204);
      expect(await end).toContain("conversation_not_found");
      expect((await ask("GET", path, { token: member.token })).status).toBe(404);
      expect((await events?.read())?.value).toContain("event: text_delta");
      held("revocation");
      await ask("POST", `/conversation/${id}/stop`);
    },
  );
});
