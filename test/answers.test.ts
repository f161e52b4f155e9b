import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { askBelow } from "./support/ask.ts";
import { eventsOf, startTestServer, type TestServer } from "./support/server.ts";
import type { ScriptedProvider } from "./support/scripted-provider.ts";
import { type ScriptedServer, startScriptedServer } from "./support/scripted-server.ts";
import { uploadFile } from "./support/upload-file.ts";

let server: ScriptedServer;
let parlance: TestServer;
let provider: ScriptedProvider;
let bob: string;
beforeAll(async () => {
  server = await startScriptedServer();
  ({ parlance, provider, bob } = server);
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => provider.answer(() => ({ text: ["Thirty days [1]", ", not two [9]."] })));

const HANDBOOK =
  "# Holidays\n\nEverybody at the lighthouse has thirty days of holidays.\n\n# Notice\n\nThe period of notice is three months.\n";
const ask = askBelow(() => parlance, "/api/v1");
const upload = async (content: string, name: string, token = parlance.token) => {
  return (await uploadFile(parlance, content, name, { token })).body.id;
};
const processed = async (id: string, token = parlance.token) => {
  const events = await eventsOf(
    await parlance.request(`/api/v1/documents/${id}/events`, { token }),
  );
  expect(events.at(-1)?.data).toMatchObject({ status: "PROCESSED" });
};
const agentWith = async (fields: object) =>
  (await ask("POST", "/agent", { body: { name: "Clerk", type: "cortex", ...fields } })).body
    .id;
/** Returns the text and the sources of a streamed reply. */
const say = async (body: object, token = parlance.token) => {
  const content = "How many days of holidays does everybody at the lighthouse have?";
  const events = await eventsOf(
    await parlance.request("/api/v1/conversation", { body: { content, ...body }, token }),
  );
  const of = (event: string) =>
    events.filter((one) => one.event === event).map(({ data }) => data);
  return {
    conversationId: String(of("conversation")[0]?.["conversationId"]),
    text: of("text_delta")
      .map(({ delta }) => delta)
      .join(""),
    sources: of("sources").flatMap(
      ({ sources }) => sources as { documentId: string; index: number; content: string }[],
    ),
    warnings: of("warning"),
    done: of("done")[0],
  };
};
/** Returns the last request to the model, ignoring titles. */
const asked = () =>
  JSON.stringify(
    provider.requests.findLast(
      ({ messages }) => !String(messages[0]?.content).startsWith("Write a title"),
    )?.messages,
  );

test("a cortex agent answers from its documents: sources first, citations checked, both stored with the message", async () => {
  const handbook = await upload(HANDBOOK, "handbook.md");
  await processed(handbook);
  const { conversationId, text, sources, done } = await say({
    agentId: await agentWith({ retrieval: { docIds: [handbook] } }),
  });
  expect(sources[0]).toMatchObject({
    index: 1,
    documentId: handbook,
    fileName: "handbook.md",
    content: expect.stringContaining("thirty days"),
  });
  expect(asked()).toContain("thirty days of holidays");
  expect(text).toBe("Thirty days [1], not two.");
  expect(done).toMatchObject({ content: "Thirty days [1], not two." });
  const { body } = await ask("GET", `/conversation/${conversationId}`);
  const [, reply] = body["messages"] as { content: string; sources: object[] }[];
  expect(reply?.content).toBe("Thirty days [1], not two.");
  expect(reply?.sources[0]).toMatchObject({ index: 1, documentId: handbook, cited: true });
});

test("an agent answers only from documents that its caller may see", async () => {
  const salaries = await upload(
    "The keeper of the lighthouse earns a secret salary of 4711 crowns.",
    "salaries.md",
  );
  await processed(salaries);
  const agentId = await agentWith({
    type: "organization",
    retrieval: { docIds: [salaries] },
  });
  const content = "What does the keeper of the lighthouse earn?";
  expect((await say({ agentId, content })).sources).toHaveLength(1);
  for (const who of [
    { agentId, content },
    { agentId: "00000000-0000-7000-8000-000000000004", content },
  ]) {
    expect((await say(who, bob)).sources).toEqual([]);
    expect(asked()).not.toContain("4711");
    expect(asked()).toContain("No passage was found in the documents.");
  }
});

test("a large attached document is waited for and searched, for later messages too", async () => {
  const filler = Array.from(
    { length: 12_000 },
    (_, line) => `Entry ${line} of the log reports calm weather.`,
  ).join("\n\n");
  const log = await upload(
    `${filler}\n\nThe lamp of the lighthouse broke on the third of May.\n\n${filler}`,
    "log.md",
  );
  const first = await say({
    content: "When did the lamp of the lighthouse break?",
    files: [log],
  });
  expect(first.sources.some(({ content }) => content.includes("third of May"))).toBe(true);
  expect(asked()?.length).toBeLessThan(200_000);
  const later = await say({
    conversationId: first.conversationId,
    content: "Which lamp broke in the lighthouse in May?",
  });
  expect(later.sources.some(({ documentId }) => documentId === log)).toBe(true);
});

test("with a tool the model searches for passages itself", async () => {
  const handbook = await upload(HANDBOOK, "handbook.md");
  await processed(handbook);
  provider.answer((_, { messages }) =>
    messages.some(({ role }) => role === "tool")
      ? { text: ["Three months [1]."] }
      : {
          toolCalls: [
            { name: "search_documents", arguments: { query: "period of notice" } },
          ],
        },
  );
  const { sources, text } = await say({
    agentId: await agentWith({ retrieval: { mode: "tool", docIds: [handbook] } }),
    content: "How long is the notice?",
  });
  expect(sources.some(({ documentId }) => documentId === handbook)).toBe(true);
  expect(text).toBe("Three months [1].");
});

test("an OpenAI client can ask an agent that answers from documents", async () => {
  const handbook = await upload(HANDBOOK, "handbook.md");
  await processed(handbook);
  const agentId = await agentWith({ retrieval: { docIds: [handbook] } });
  const body = {
    model: `agent:${agentId}`,
    messages: [
      { role: "user", content: "How many days of holidays are there at the lighthouse?" },
    ],
  };
  const reply = (await (
    await parlance.request("/v1/chat/completions", { body })
  ).json()) as {
    choices: { message: { content: string } }[];
  };
  expect(reply.choices[0]?.message.content).toBe("Thirty days [1], not two.");
});

test("a deleted document is no longer found", async () => {
  const note = await upload("The cat of the lighthouse is called Heligoland.", "cat.md");
  await processed(note);
  const content = "What is the cat of the lighthouse called?";
  const agentId = "00000000-0000-7000-8000-000000000004";
  expect(
    (await say({ agentId, content })).sources.some(({ documentId }) => documentId === note),
  ).toBe(true);
  expect((await ask("DELETE", `/documents/${note}`)).status).toBe(204);
  await vi.waitFor(
    async () =>
      expect(
        (await say({ agentId, content })).sources.some(
          ({ documentId }) => documentId === note,
        ),
      ).toBe(false),
    90_000,
  );
});

test("without a model the offline model quotes the documents with their source, or says that they do not answer", async () => {
  await using offline = await startTestServer();
  const { id } = (await uploadFile(offline, HANDBOOK, "handbook.md")).body;
  await eventsOf(await offline.request(`/api/v1/documents/${id}/events`));
  const answer = async (content: string) => {
    const body = {
      content,
      stream: false,
      agentId: "00000000-0000-7000-8000-000000000004",
    };
    return (
      (await (await offline.request("/api/v1/conversation", { body })).json()) as {
        content: string;
      }
    ).content;
  };
  expect(await answer("How many days of holidays does everybody have?")).toContain(
    "thirty days of holidays. [1]",
  );
  expect(await answer("Who invented the typewriter?")).toContain(
    "The documents do not say it.",
  );
});
