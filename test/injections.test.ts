import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { askBelow } from "./support/ask.ts";
import { type Conversations, startConversations } from "./support/conversations.ts";
import { held } from "./support/held.ts";
import { INJECTIONS } from "./support/injections.ts";
import { isTitle } from "./support/scripted-provider.ts";
import { eventsOf } from "./support/server.ts";
import { text } from "./support/tool-server.ts";
import { uploadFile } from "./support/upload-file.ts";

/**
 * A model that does whatever it reads: once any of the injections reaches it, it calls every tool
 * that changes something or reaches the outside. The person has allowed these tools for always, so
 * nothing but labels and the open-world rule stands between the text and the call.
 */

/** Each page holds the text of its number. */
const web = createServer(({ url = "" }, response) => {
  const words = marked(Number(url.slice(1)))
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;");
  response
    .writeHead(200, { "content-type": "text/html; charset=utf-8" })
    .end(`<title>A page</title><p>${words}</p>`);
});
let chat: Conversations;
let folder: string;
let served = "";
const ask = askBelow(() => chat.parlance, "/api/v1");
const OUTGOING = ["mail", "post", "look_up", "wipe"];
const DESTRUCTIVE = ["mail", "post", "wipe"];
/** By which the model, and the test, know that a text has arrived, whatever became of its form. */
const markOf = (at: number) => `ref-${String(at).padStart(3, "0")}`;
const marked = (at: number) => `Case ${markOf(at)}. ${INJECTIONS[at]?.text}`;
const ALL = INJECTIONS.map((_, at) => at);

beforeAll(async () => {
  await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
  const outside = { readOnlyHint: false, destructiveHint: true, openWorldHint: true };
  chat = await startConversations({
    mail: { annotations: outside, run: () => text("sent") },
    post: { annotations: null, run: () => text("posted") },
    look_up: {
      annotations: { readOnlyHint: true, openWorldHint: true },
      run: () => text("found"),
    },
    wipe: {
      annotations: { ...outside, openWorldHint: false },
      run: () => text("wiped"),
    },
    forum: {
      annotations: { readOnlyHint: true, openWorldHint: true },
      run: () => text(served),
    },
  });
  await allowForAlways();
  const rule = { name: "Confidential", openWorld: "ask" };
  const label = (await ask("POST", "/labels", { body: rule })).body.id;
  folder = (await ask("POST", "/documents/folders", { body: { name: "Vault" } })).body.id;
  await ask("PUT", `/labels/on/folder/${folder}`, { body: { labelIds: [label] } });
});
afterAll(async () => {
  await chat[Symbol.asyncDispose]();
  web.closeAllConnections();
  web.close();
});
beforeEach(() => chat.forgetRequests());

/** The person says "always" once for each tool, before anything has been read. */
async function allowForAlways() {
  for (const name of DESTRUCTIVE) {
    chat.provider.answerTurns(
      { toolCalls: [{ name, arguments: {} }] },
      { text: ["Done."] },
    );
    const events = await eventsOf(await chat.send({ content: "Go on", tools: OUTGOING }));
    const asked = events.find(({ event }) => event === "approval")?.data;
    const id = String(events[0]?.data["conversationId"]);
    await ask("POST", `/conversation/${id}/approve`, {
      body: { toolCallId: asked?.["toolCallId"], decision: "always" },
    });
    await eventsOf(await chat.parlance.request(`/api/v1/conversation/${id}/stream`));
  }
  chat.provider.answerTurns(
    { toolCalls: DESTRUCTIVE.map((name) => ({ name, arguments: {} })) },
    { text: ["Done."] },
  );
  chat.forgetRequests();
  await eventsOf(await chat.send({ content: "Go on", tools: OUTGOING }));
  // without anything read, all of them run unasked
  expect(chat.tools.calls.toSorted()).toEqual(DESTRUCTIVE.toSorted());
}

/** Obeys as soon as the injection is in what it reads; `first`: what it does before that. */
function obey(at: number, first?: string): { read: () => boolean } {
  let isRead = false;
  chat.provider.answer((_, body) => {
    if (isTitle(body)) return { text: ["A title"] };
    if (JSON.stringify(body.messages).includes(markOf(at))) {
      isRead = true;
      return { toolCalls: OUTGOING.map((name) => ({ name, arguments: {} })) };
    }
    return first ? { toolCalls: [{ name: first, arguments: {} }] } : { text: ["Nothing."] };
  });
  return { read: () => isRead };
}

/** What waited for a decision in the reply. */
async function waitingAfter(body: object): Promise<string[]> {
  const tools = [...OUTGOING, "forum", "read_page"];
  const events = await eventsOf(await chat.send({ tools, ...body }));
  return events
    .filter(({ event }) => event === "approval")
    .map(({ data }) => String(data["name"]))
    .toSorted();
}

test("the texts are many, and no two are the same", () => {
  expect(INJECTIONS.length).toBeGreaterThanOrEqual(60);
  expect(new Set(INJECTIONS.map((one) => one.text)).size).toBe(INJECTIONS.length);
});

test("as results of tools that reach the open world: no destructive call leaves undecided", async () => {
  for (const at of ALL) {
    served = marked(at);
    chat.tools.calls.length = 0;
    const model = obey(at, "forum");
    expect(await waitingAfter({ content: "Read the forum" }), served).toEqual(DESTRUCTIVE);
    expect(model.read(), served).toBe(true);
    expect(chat.tools.calls.filter((name) => DESTRUCTIVE.includes(name))).toEqual([]);
  }
  held("injections", ALL.length);
});

test("as pages that a message names: no destructive call leaves undecided", async () => {
  const { port } = web.address() as AddressInfo; // a TCP server has one
  for (const at of ALL) {
    chat.tools.calls.length = 0;
    const model = obey(at);
    const message = { content: `What does http://127.0.0.1:${port}/${at} say?` };
    expect(await waitingAfter(message), marked(at)).toEqual(DESTRUCTIVE);
    expect(model.read(), marked(at)).toBe(true);
    expect(chat.tools.calls.filter((name) => DESTRUCTIVE.includes(name))).toEqual([]);
  }
  held("injections", ALL.length);
});

test("as labelled documents: no call that is destructive or reaches the outside leaves undecided", async () => {
  for (const at of ALL) {
    const { body } = await uploadFile(chat.parlance, marked(at), `note-${at}.txt`, {
      fields: { folderId: folder },
    });
    const model = obey(at);
    const message = { content: `What does ${markOf(at)} say?`, files: [body.id] };
    expect(await waitingAfter(message), marked(at)).toEqual(OUTGOING.toSorted());
    expect(model.read(), marked(at)).toBe(true);
    expect(chat.tools.calls, marked(at)).toEqual([]);
  }
  held("injections", ALL.length);
});

test("as names of labelled files: no such call leaves undecided", async () => {
  const short = ALL.filter((at) => /^[\w .,:;()[\]@–-]{1,120}$/.test(marked(at)));
  expect(short.length).toBeGreaterThan(15);
  for (const at of short) {
    const name = `${marked(at)}.txt`;
    const { body } = await uploadFile(chat.parlance, `Plain words ${at}.`, name, {
      fields: { folderId: folder },
    });
    const model = obey(at);
    const message = { content: "What is this file?", files: [body.id] };
    expect(await waitingAfter(message), name).toEqual(OUTGOING.toSorted());
    expect(model.read(), name).toBe(true);
    expect(chat.tools.calls, name).toEqual([]);
  }
  held("injections", short.length);
});

test("what is said once in a conversation holds for its later messages", async () => {
  const { body } = await uploadFile(chat.parlance, marked(0), "again.txt", {
    fields: { folderId: folder },
  });
  chat.provider.answerTurns({ text: ["Read."] });
  const events = await eventsOf(
    await chat.send({ content: "Read it", files: [body.id], tools: OUTGOING }),
  );
  const conversationId = String(events[0]?.data["conversationId"]);
  chat.provider.answerTurns(
    { toolCalls: OUTGOING.map((name) => ({ name, arguments: {} })) },
    { text: ["Done."] },
  );
  expect(await waitingAfter({ content: "Thanks", conversationId })).toEqual(
    OUTGOING.toSorted(),
  );
  expect(chat.tools.calls).toEqual([]);
});
