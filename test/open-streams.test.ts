import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type TestServer, startTestServer } from "./support/server.ts";
import {
  type ScriptedProvider,
  startScriptedProvider,
} from "./support/scripted-provider.ts";
import { held } from "./support/held.ts";
import { settingsOf } from "./support/scripted-server.ts";

/** Streams that are open when the right to read them ends. */

const PASSWORD = "a long enough password";
/** The settings of services that run in separate processes. */
const APART = {
  ...Object.fromEntries(
    ["USER", "MCP", "COMPLETION"].map((name) => [`${name}_SERVICE_SECRET`, "s".repeat(32)]),
  ),
  SERVICE_SECRET: "s".repeat(32),
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
};
let provider: ScriptedProvider;
let parlance: TestServer;
let serial = 0;
beforeAll(async () => {
  provider = await startScriptedProvider();
  // a reply that continues until it is stopped
  provider.answer(() => ({
    text: Array.from({ length: 2_000 }, (_, n) => `${n} `),
    delayMs: 30,
  }));
  parlance = await startTestServer(settingsOf(provider));
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

const somebody = async (of = parlance) => {
  serial += 1;
  const user = {
    email: `reader-${serial}@test.example`,
    name: "Reader",
    password: PASSWORD,
  };
  const { id } = (await (await of.request("/api/v1/users", { body: user })).json()) as {
    id: string;
  };
  return { id, token: await of.signIn(user.email, PASSWORD) };
};
/** A conversation can be shared only a moment after it began. */
const share = (
  resource: object,
  subjectId: string,
  { of = parlance, accessRole = "viewer" } = {},
) =>
  vi.waitFor(async () => {
    const body = { ...resource, shares: [{ subjectType: "user", subjectId, accessRole }] };
    const answer = await of.request("/api/v1/sharing/share", { body });
    expect(answer.status).toBe(201);
    return ((await answer.json()) as { shares: { id: string }[] }).shares[0]?.id;
  }, 90_000);
const endOf = async (response: Response) => {
  let text = "";
  const end = response.body?.pipeThrough(new TextDecoderStream());
  for await (const piece of end ?? []) text += piece;
  return text.split("\n\n").findLast((block) => block.includes("event: ")) ?? "";
};
/** A reply in progress, read by its owner. */
const begun = async (token = parlance.token) => {
  const answer = await parlance.request("/api/v1/conversation", {
    token,
    body: { content: "Count." },
  });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  const { value = "" } = (await reader?.read()) ?? {};
  const id = /"conversationId":"([^"]+)"/.exec(value)?.[1] ?? "";
  return {
    id,
    reader,
    stop: () =>
      parlance.request(`/api/v1/conversation/${id}/stop`, { method: "POST", token }),
  };
};

test("fifty streams of a reader end when the share is revoked, and the owner's continues", async () => {
  const reader = await somebody();
  const { id, reader: owners, stop } = await begun();
  const resource = { resourceType: "conversation", resourceId: id };
  const shareId = await share(resource, reader.id);
  const open = await Promise.all(
    Array.from({ length: 50 }, () =>
      parlance.request(`/api/v1/conversation/${id}/stream`, { token: reader.token }),
    ),
  );
  expect(open.map(({ status }) => status)).toEqual(open.map(() => 200));
  const ends = open.map(endOf);
  expect(
    (await parlance.request(`/api/v1/sharing/shares/${shareId}`, { method: "DELETE" }))
      .status,
  ).toBe(204);
  expect(
    (await parlance.request(`/api/v1/conversation/${id}/stream`, { token: reader.token }))
      .status,
  ).toBe(404);
  for (const end of ends) expect(await end).toContain("conversation_not_found");
  expect((await owners?.read())?.value).toContain("event: text_delta");
  held("revocation", open.length);
  await stop();
});

test("a stream ends when the reader signs out or is disabled, or the key is revoked", async () => {
  const { id, stop } = await begun();
  const attach = async () => {
    const reader = await somebody();
    await share({ resourceType: "conversation", resourceId: id }, reader.id);
    return {
      ...reader,
      end: endOf(
        await parlance.request(`/api/v1/conversation/${id}/stream`, {
          token: reader.token,
        }),
      ),
    };
  };
  const [leaving, shutOut] = [await attach(), await attach()];
  await parlance.request("/api/v1/auth/logout", { method: "POST", token: leaving.token });
  await parlance.request(`/api/v1/users/${shutOut.id}`, {
    method: "PATCH",
    body: { disabled: true },
  });
  expect(await leaving.end).toContain("token_revoked");
  expect(await shutOut.end).toMatch(/token_revoked|conversation_not_found/);
  await stop();

  const made = await parlance.request("/api/v1/auth/api-keys", {
    body: { name: "reader" },
  });
  const { id: keyId, key } = (await made.json()) as { id: string; key: string };
  const headers = { "x-api-key": key };
  const own = endOf(
    await parlance.request("/api/v1/conversation", {
      token: null,
      headers,
      body: { content: "Count." },
    }),
  );
  await parlance.request(`/api/v1/auth/api-keys/${keyId}`, { method: "DELETE" });
  expect(await own).toMatch(/event: error\n.*api_key_invalid/);
});

test("streams of every kind end with a reason when the token that opened them has expired", async () => {
  await using brief = await startTestServer({
    ACCESS_TOKEN_TTL: "4000",
    STREAM_EXPIRY_GRACE: "500",
    ...settingsOf(provider),
  });
  const { token } = await somebody(brief);
  const open = (path: string, body?: object) => brief.request(path, { token, body });
  const model = "openai/gpt-test";
  const messages = [{ role: "user", content: "Count." }];
  const streams = await Promise.all([
    open("/api/v1/events"),
    open("/api/v1/conversation", { content: "Count." }),
    open("/v1/chat/completions", { model, messages, stream: true }),
  ]);
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);
  const texts = await Promise.all(streams.map((stream) => stream.text()));
  for (const text of texts) expect(text.slice(-300)).toContain('"token_expired"');
  expect((await open("/api/v1/events")).status).toBe(401);
  held("revocation", streams.length);
});

test("a repeated idempotency key returns nothing to a user who lost access", async () => {
  const writer = await somebody();
  const { id, stop } = await begun();
  await stop();
  const shareId = await share({ resourceType: "conversation", resourceId: id }, writer.id, {
    accessRole: "editor",
  });
  const send = () =>
    parlance.request("/api/v1/conversation", {
      token: writer.token,
      headers: { "idempotency-key": "again" },
      body: { conversationId: id, content: "Go on." },
    });
  const first = await send();
  expect(first.status).toBe(200);
  await first.body?.cancel();
  await parlance.request(`/api/v1/sharing/shares/${shareId}`, { method: "DELETE" });
  expect((await send()).status).toBe(404);
  await stop();
});

test("the events of a document end when its share is revoked", async () => {
  // no parser reads the file here, so it waits
  await using apart = await startTestServer(APART, ["users", "documents"]);
  const reader = await somebody(apart);
  const form = new FormData();
  form.append("file", new File(["A text."], "a.txt"));
  const headers = { authorization: `Bearer ${apart.token}` };
  const uploaded = await fetch(`${apart.url}/api/v1/documents`, {
    method: "POST",
    headers,
    body: form,
  });
  const { id } = (await uploaded.json()) as { id: string };
  const shareId = await share({ resourceType: "document", resourceId: id }, reader.id, {
    of: apart,
  });
  const open = await apart.request(`/api/v1/documents/${id}/events`, {
    token: reader.token,
  });
  const events = open.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await events?.read())?.value).toContain("event: status");
  await apart.request(`/api/v1/sharing/shares/${shareId}`, { method: "DELETE" });
  expect((await events?.read())?.done).toBe(true);
  expect(
    (await apart.request(`/api/v1/documents/${id}/events`, { token: reader.token })).status,
  ).toBe(404);
});
