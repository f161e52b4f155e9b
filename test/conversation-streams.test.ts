import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type Conversations, startConversations } from "./support/conversations.ts";
import { eventsOf } from "./support/server.ts";
import { text } from "./support/tool-server.ts";
import { held } from "./support/held.ts";

let chat: Conversations;
beforeAll(async () => {
  chat = await startConversations({
    wipe: {
      annotations: { destructiveHint: true, readOnlyHint: false },
      run: () => text("wiped"),
    },
  });
});
afterAll(() => chat[Symbol.asyncDispose]());
beforeEach(() => chat.forgetRequests());

const faults = [
  {
    what: "stalls",
    turn: { text: ["a"], fault: "stall", faultAfter: 1 },
    code: "provider_timeout",
  },
  { what: "sends garbage", turn: { fault: "garbage" }, code: "provider_invalid" },
  {
    what: "cuts the stream",
    turn: { text: ["par", "tial"], fault: "cut", faultAfter: 2, delayMs: 30 },
    code: "provider_cut",
    kept: "partial",
  },
  {
    what: "sends a line without end",
    turn: { fault: "long-line" },
    code: "provider_invalid",
  },
  { what: "answers 401", turn: { status: 401 }, code: "provider_refused_key" },
  {
    what: "answers 429 with a long wait",
    turn: { status: 429, headers: { "retry-after": "60" } },
    code: "provider_rate_limited",
  },
] as const;

test.each(faults)(
  "a provider that $what ends in one clear error, and what was said stays",
  async ({ turn, code, ...rest }) => {
    chat.provider.answerTurns({ ...turn, text: "text" in turn ? [...turn.text] : [] });
    const events = await eventsOf(await chat.send({ content: "hi" }));
    expect(events.at(-1)).toMatchObject({ event: "error", data: { code } });
    expect(JSON.stringify(events)).not.toContain("planted");
    const stored = (await (
      await chat.parlance.request(
        `/api/v1/conversation/${String(events[0]?.data["conversationId"])}`,
      )
    ).json()) as {
      messages: { status: string; content: string }[];
    };
    expect(stored.messages[1]).toMatchObject({
      status: "failed",
      ...("kept" in rest && { content: rest.kept }),
    });
  },
);

test.each([
  ["nothing", {}],
  ["white space", { text: ["\n", " "] }],
  ["reasoning alone", { reasoning: ["hm"] }],
])("a reply of %s is an error that says so", async (_, turn) => {
  chat.provider.answerTurns(turn);
  const events = await eventsOf(await chat.send({ content: "hi" }));
  expect(events.at(-1)).toMatchObject({ event: "error", data: { code: "reply_empty" } });
});

test("a call though no tool is offered is refused, and the model answers without", async () => {
  const usage = { inputTokens: 10, outputTokens: 5 };
  chat.provider.answerTurns(
    { toolCalls: [{ name: "web_search", arguments: {} }], usage },
    { text: ["plain"], usage },
  );
  const events = await eventsOf(await chat.send({ content: "hi" }));
  const result = events.find(({ event }) => event === "tool_result")?.data;
  expect(result).toMatchObject({ name: "web_search", isError: true });
  expect(result?.["content"]).toContain("tool_not_permitted");
  expect(events.at(-1)).toMatchObject({
    event: "done",
    data: { content: "plain", usage: { inputTokens: 20, outputTokens: 10 } },
  });
  expect(JSON.stringify(chat.provider.turns()[1]?.messages)).toContain(
    "tool_not_permitted",
  );
});

test("a model that calls tools without end though none is offered is stopped", async () => {
  chat.provider.answerTurns({ toolCalls: [{ name: "web_search", arguments: {} }] });
  const events = await eventsOf(await chat.send({ content: "hi" }));
  expect(events.at(-1)).toMatchObject({
    event: "done",
    data: { finishReason: "max_iterations" },
  });
  expect(chat.provider.turns()).toHaveLength(3);
});

test("a failure before the first token is retried, one after it is not", async () => {
  chat.provider.answerTurns(
    { status: 500 },
    { status: 429, headers: { "retry-after": "0" } },
    { text: ["third time"] },
  );
  expect(await (await chat.send({ content: "x", stream: false })).json()).toMatchObject({
    content: "third time",
  });
  expect(chat.provider.turns()).toHaveLength(3);
  held("provider-faults", 2);
});

test("a reader who disconnects can resume without gaps or repetition", async () => {
  chat.provider.answerTurns({
    text: Array.from({ length: 40 }, (_, n) => `${n} `),
    delayMs: 20,
  });
  const leave = new AbortController();
  const response = await chat.parlance.request("/api/v1/conversation", {
    body: { content: "count" },
    signal: leave.signal,
  });
  let seen = "";
  for await (const chunk of response.body ?? []) {
    seen += Buffer.from(chunk).toString();
    if (seen.includes('"10 "')) break;
  }
  leave.abort();
  const complete = seen.slice(0, seen.lastIndexOf("\n\n"));
  const lastId = [...complete.matchAll(/^id: (\d+)$/gm)].at(-1)?.[1] ?? "";
  const id = /conversationId":"([^"]+)/.exec(seen)?.[1];
  const rest = await (
    await chat.parlance.request(`/api/v1/conversation/${id}/stream`, {
      headers: { "last-event-id": lastId },
    })
  ).text();
  const said = [...`${complete}\n\n${rest}`.matchAll(/"delta":"([^"]*)"/g)]
    .map((match) => match[1])
    .join("");
  expect(said).toBe(Array.from({ length: 40 }, (_, n) => `${n} `).join(""));
});

test("a reader who disconnects after any event gets the rest, also after a decision", async () => {
  chat.provider.answerTurns(
    { reasoning: ["Hm"], toolCalls: [{ name: "wipe", arguments: {} }] },
    { text: ["done ", "it"], delayMs: 100 },
  );
  const first = await (await chat.send({ content: "wipe it", tools: ["wipe"] })).text();
  const id = /conversationId":"([^"]+)/.exec(first)?.[1];
  /** Events in wire format with their ids, without keep-alive comments. */
  const events = (text: string) =>
    text.split("\n\n").filter((event) => event.includes("event: "));
  const after = async (event: string) => {
    const lastId = /^id: (.*)$/m.exec(event)?.[1] ?? "";
    return events(
      await (
        await chat.parlance.request(`/api/v1/conversation/${id}/stream`, {
          headers: { "last-event-id": lastId },
        })
      ).text(),
    );
  };
  const waited = events(first);
  for (const [index, event] of waited.entries())
    expect(await after(event)).toEqual(waited.slice(index + 1));
  const toolCallId = /"toolCallId":"([^"]+)/.exec(first)?.[1];
  await chat.parlance.request(`/api/v1/conversation/${id}/approve`, {
    body: { toolCallId, decision: "approve" },
  });
  const all = events(
    await (await chat.parlance.request(`/api/v1/conversation/${id}/stream`)).text(),
  );
  expect(all.join()).toContain("done");
  for (const event of waited) expect(await after(event)).toEqual(all);
  for (const [index, event] of all.entries())
    expect(await after(event)).toEqual(all.slice(index + 1));
});

test("what a model thought stays with its reply, also after a decision", async () => {
  chat.provider.answerTurns(
    {
      reasoning: ["May I", " wipe? "],
      text: ["First"],
      toolCalls: [{ name: "wipe", arguments: {} }],
    },
    { reasoning: ["I may."], text: ["done"] },
  );
  const first = await (await chat.send({ content: "wipe it", tools: ["wipe"] })).text();
  const id = /conversationId":"([^"]+)/.exec(first)?.[1];
  const thought = async () => {
    const stored = await chat.parlance.request(`/api/v1/conversation/${id}`);
    const { messages } = (await stored.json()) as { messages: { reasoning: string }[] };
    return messages.map(({ reasoning }) => reasoning);
  };
  expect(await thought()).toEqual(["", "May I wipe? "]);
  await chat.parlance.request(`/api/v1/conversation/${id}/approve`, {
    body: { toolCallId: /"toolCallId":"([^"]+)/.exec(first)?.[1], decision: "approve" },
  });
  const second = await (
    await chat.parlance.request(`/api/v1/conversation/${id}/stream`)
  ).text();
  expect(await thought()).toEqual(["", "May I wipe? I may."]);
  // so that a reader who comes later knows what stands before
  expect(first).not.toContain('"earlier"');
  const earlier = /"earlier":(\{[^}]*\})/.exec(second)?.[1] ?? "null";
  expect(JSON.parse(earlier)).toEqual({
    content: "First".length,
    reasoning: "May I wipe? ".length,
  });
});

test("five hundred readers who disconnect at different events have no gap and no repetition", async () => {
  const pieces = Array.from({ length: 250 }, (_, n) => `${n} `);
  chat.provider.answerTurns({ text: pieces, delayMs: 2 });
  const events = (text: string) =>
    text.split("\n\n").filter((event) => event.includes("event: "));
  const idOf = (event = "") => /^id: (.*)$/m.exec(event)?.[1] ?? "";
  const response = await chat.parlance.request("/api/v1/conversation", {
    body: { content: "count" },
  });
  const all = events(await response.text());
  const id = /conversationId":"([^"]+)/.exec(all[0] ?? "")?.[1];
  expect(all.length).toBeGreaterThan(50);
  const drops = Array.from({ length: 500 }, (_, n) => n % all.length);
  for (let from = 0; from < drops.length; from += 25)
    await Promise.all(
      drops.slice(from, from + 25).map(async (index) => {
        const headers = { "last-event-id": idOf(all[index]) };
        const rest = await (
          await chat.parlance.request(`/api/v1/conversation/${id}/stream`, { headers })
        ).text();
        expect(events(rest)).toEqual(all.slice(index + 1));
      }),
    );
  held("re-attaching", drops.length);
});

test("stop ends the provider's request and keeps the text so far", async () => {
  chat.provider.answerTurns({
    text: Array.from({ length: 10_000 }, () => "word "),
    delayMs: 20,
  });
  const before = chat.provider.aborted;
  const response = await chat.send({ content: "talk" });
  const reader = response.body?.getReader();
  let read = "";
  while (!read.includes("word"))
    read += Buffer.from((await reader?.read())?.value ?? []).toString();
  const id = /conversationId":"([^"]+)/.exec(read)?.[1];
  await chat.parlance.request(`/api/v1/conversation/${id}/stop`, { method: "POST" });
  await vi.waitFor(() => expect(chat.provider.aborted).toBe(before + 1), 90_000);
  await vi.waitFor(async () => {
    const { messages } = (await (
      await chat.parlance.request(`/api/v1/conversation/${id}`)
    ).json()) as {
      messages: { status: string; content: string }[];
    };
    expect(messages[1]?.status).toBe("stopped");
    expect(messages[1]?.content).toContain("word");
  }, 90_000);
  await reader?.cancel();
});

test("a client of /agent/run that leaves cancels the provider's request", async () => {
  chat.provider.answerTurns({
    text: Array.from({ length: 10_000 }, () => "word "),
    delayMs: 20,
  });
  const before = chat.provider.aborted;
  const leave = new AbortController();
  const run = await chat.parlance.request("/api/v1/agent/run", {
    body: { model: "openai/gpt-test", messages: [{ role: "user", content: "x" }] },
    signal: leave.signal,
  });
  await run.body?.getReader().read();
  leave.abort();
  await vi.waitFor(() => expect(chat.provider.aborted).toBe(before + 1), 90_000);
});
