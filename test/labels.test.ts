import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { CarriedLabel } from "../src/services/users/contract-judge-labels.ts";
import { askBelow, newPerson } from "./support/ask.ts";
import { agentNameOf, automationsOf } from "./support/automations.ts";
import { type Conversations, startConversations } from "./support/conversations.ts";
import { held } from "./support/held.ts";
import { eventsOf } from "./support/server.ts";
import { text } from "./support/tool-server.ts";
import { uploadFile } from "./support/upload-file.ts";

/** Labels of folders and agents, from what a run reads to what may happen with its reply. */

const defence = vi.hoisted(() => ({ isOff: false }));
vi.mock("../src/services/users/contract-judge-labels.ts", async (original) => {
  type Module = typeof import("../src/services/users/contract-judge-labels.ts");
  const actual = await original<Module>();
  const judgeByLabels: Module["judgeByLabels"] = (labels, act) =>
    defence.isOff ? { verdict: "allowed" } : actual.judgeByLabels(labels, act);
  return { ...actual, judgeByLabels };
});

let chat: Conversations;
let bob: { id: string; token: string };
const ask = askBelow(() => chat.parlance, "/api/v1");
beforeAll(async () => {
  chat = await startConversations({
    mail: {
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
      run: () => text("sent"),
    },
    look_up: {
      annotations: { readOnlyHint: true, openWorldHint: true },
      run: () => text("looked up"),
    },
    wipe: {
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
      run: () => text("wiped"),
    },
    clock: {
      annotations: { readOnlyHint: true, openWorldHint: false },
      run: () => text("noon"),
    },
  });
  bob = await newPerson(chat.parlance, "bob");
});
afterAll(() => chat[Symbol.asyncDispose]());
beforeEach(() => {
  defence.isOff = false;
  chat.forgetRequests();
});

let count = 0;
const nameOf = (kind: string) => `${kind} ${++count}`;
const label = async (rule: Partial<CarriedLabel> & { removal?: string }) =>
  (await ask("POST", "/labels", { body: { name: nameOf("Secret"), ...rule } })).body;
const put = (type: string, id: string, ids: string[], token?: string) =>
  ask("PUT", `/labels/on/${type}/${id}`, {
    body: { labelIds: ids },
    ...(token !== undefined && { token }),
  });
const on = async (type: string, id: string) =>
  (await ask("GET", `/labels/on/${type}/${id}`)).body["labels"] as {
    id: string;
    name: string;
    from: string;
    removable: boolean;
  }[];

/** A document in a folder that carries the label. */
async function labelled(labelId: string, content = "The lighthouse key hangs at nine.") {
  const folder = (
    await ask("POST", "/documents/folders", { body: { name: nameOf("Vault") } })
  ).body.id;
  await put("folder", folder, [labelId]);
  const { body } = await uploadFile(
    chat.parlance,
    `${content} ${nameOf("Note")}`,
    `${nameOf("note")}.txt`,
    { fields: { folderId: folder } },
  );
  return { folder, document: body.id };
}

const newFolder = async (parentId: string | null = null) =>
  (await ask("POST", "/documents/folders", { body: { name: nameOf("Folder"), parentId } }))
    .body.id;
const shareWithBob = async (resourceType: string, resourceId: string) => {
  const shares = [{ subjectType: "user", subjectId: bob.id, accessRole: "viewer" }];
  const body = { resourceType, resourceId, shares };
  expect((await ask("POST", "/sharing/share", { body })).status).toBe(201);
};

/** The events of a reply to a message, by kind. */
async function say(body: object) {
  const events = await eventsOf(
    await chat.send({ content: "Where does the lighthouse key hang?", ...body }),
  );
  const of = (kind: string) =>
    events.filter(({ event }) => event === kind).map(({ data }) => data);
  return { id: String(of("conversation")[0]?.["conversationId"]), of };
}
const call = (name: string) => ({ toolCalls: [{ name, arguments: {} }] });
const tools = ["mail", "look_up", "wipe", "clock"];
const DONE = { text: ["Done."] };

test("a provider that a label excludes is not asked, and the error names both", async () => {
  const secret = await label({ providers: ["elsewhere"], openWorld: "allowed" });
  const { document } = await labelled(secret.id);
  chat.provider.answerTurns(DONE);
  const refused = await say({ files: [document] });
  expect(refused.of("error")).toMatchObject([
    {
      code: "label_forbids_provider",
      params: { label: secret.name, provider: "openai", providers: "elsewhere" },
    },
  ]);
  expect(chat.provider.requests).toEqual([]);
  // the conversation carries the label on, also to messages that read nothing
  const later = await say({ conversationId: refused.id, content: "And now?" });
  expect(later.of("error")).toMatchObject([{ code: "label_forbids_provider" }]);
  expect(chat.provider.requests).toEqual([]);
  defence.isOff = true;
  expect((await say({ files: [document] })).of("done")).toHaveLength(1);
  held("labels", 2);
});

test("a provider that its label names answers, and the reply says what it carries", async () => {
  const secret = await label({ providers: ["openai"], openWorld: "allowed", color: "red" });
  const { document } = await labelled(secret.id);
  chat.provider.answerTurns(DONE);
  const { id, of } = await say({ files: [document] });
  expect(of("done")).toHaveLength(1);
  expect(of("labels")[0]).toMatchObject({ labels: [{ id: secret.id }] });
  const { messages } = (await ask("GET", `/conversation/${id}`)).body as unknown as {
    messages: { labels: unknown }[];
  };
  expect(messages.at(-1)?.labels).toEqual([
    { id: secret.id, name: secret.name, color: "red" },
  ]);
  expect(await on("conversation", id)).toMatchObject([{ id: secret.id, from: "carried" }]);
});

test("calls to the open world and destructive ones wait, whatever was allowed, and say the label", async () => {
  const secret = await label({ openWorld: "ask" });
  const { document } = await labelled(secret.id);
  for (const name of ["mail", "look_up", "wipe"]) {
    chat.forgetRequests();
    chat.provider.answerTurns(call(name), DONE);
    // administrators may run tools without approval, but not past a label
    const { id, of } = await say({ files: [document], tools, approval: "never" });
    expect(of("approval"), name).toMatchObject([
      { name, because: "label", label: secret.name },
    ]);
    expect(chat.tools.calls, name).toEqual([]);
    const [waiting] = of("approval");
    const body = { toolCallId: waiting?.["toolCallId"], decision: "always" };
    await ask("POST", `/conversation/${id}/approve`, { body });
    await eventsOf(await chat.parlance.request(`/api/v1/conversation/${id}/stream`));
    expect(chat.tools.calls, name).toEqual([name]);
    // what was always allowed waits again
    chat.provider.answerTurns(call(name), DONE);
    const again = await say({ conversationId: id, content: "Again", tools });
    expect(again.of("approval"), name).toMatchObject([{ because: "label" }]);
    expect(chat.tools.calls, name).toEqual([name]);
  }
  chat.forgetRequests();
  chat.provider.answerTurns(call("clock"), DONE);
  expect((await say({ files: [document], tools })).of("done")).toHaveLength(1);
  expect(chat.tools.calls).toEqual(["clock"]);
  chat.forgetRequests();
  defence.isOff = true;
  chat.provider.answerTurns(call("mail"), DONE);
  await say({ files: [document], tools, approval: "never" });
  expect(chat.tools.calls).toEqual(["mail"]);
  held("labels", 3);
});

test("a call that a label refuses does not run, and the model reads why", async () => {
  const secret = await label({ openWorld: "refused" });
  const { document } = await labelled(secret.id);
  chat.provider.answerTurns(call("mail"), DONE);
  const { of } = await say({ files: [document], tools, approval: "never" });
  expect(of("tool_result")).toMatchObject([{ name: "mail", isError: true }]);
  expect(String(of("tool_result")[0]?.["content"])).toContain(secret.name);
  expect(of("approval")).toEqual([]);
  expect(chat.tools.calls).toEqual([]);
});

test("what a tool finds in labelled documents judges the next call of the same run", async () => {
  const secret = await label({ openWorld: "ask" });
  const { document } = await labelled(secret.id);
  await vi.waitFor(
    async () =>
      expect((await ask("GET", `/documents/${document}`)).body.status).toBe("PROCESSED"),
    90_000,
  );
  const search = {
    toolCalls: [
      { name: "search_documents", arguments: { query: "lighthouse key hangs nine" } },
    ],
  };
  const retrieval = { docIds: [document], mode: "tool" };
  const clerk = { name: nameOf("Clerk"), type: "cortex", retrieval };
  const made = await ask("POST", "/agent", { body: clerk });
  expect(made.status, made.text).toBe(201);
  const asked = { content: "Hello", agentId: made.body.id, tools, approval: "never" };
  chat.provider.answerTurns(call("mail"), DONE);
  expect((await say(asked)).of("approval")).toEqual([]);
  expect(chat.tools.calls).toEqual(["mail"]);
  chat.forgetRequests();
  chat.provider.answerTurns(search, call("mail"), DONE);
  const after = await say(asked);
  expect(after.of("approval")).toMatchObject([{ name: "mail", because: "label" }]);
  expect(chat.tools.calls).toEqual([]);
});

test("a document that is listed, found or read line by line judges the next call too", async () => {
  const secret = await label({ openWorld: "ask" });
  const { document } = await labelled(secret.id);
  await vi.waitFor(
    async () =>
      expect((await ask("GET", `/documents/${document}`)).body.status).toBe("PROCESSED"),
    90_000,
  );
  const retrieval = { docIds: [document], mode: "tool" };
  const clerk = { name: nameOf("Clerk"), type: "cortex", retrieval };
  const { id: agentId } = (await ask("POST", "/agent", { body: clerk })).body;
  const reading: [string, object][] = [
    ["list_documents", {}],
    ["find_in_documents", { pattern: "LIGHTHOUSE" }],
    // that it is not there says something, too
    ["find_in_documents", { pattern: "submarine" }],
    ["read_document", { documentId: document }],
  ];
  for (const [name, given] of reading) {
    chat.forgetRequests();
    const read = { toolCalls: [{ name, arguments: given }] };
    chat.provider.answerTurns(read, call("mail"), DONE);
    const { of } = await say({ content: "Hello", agentId, tools, approval: "never" });
    expect(of("tool_result")[0], name).toMatchObject({ name, isError: false });
    expect(of("approval"), name).toMatchObject([{ name: "mail", because: "label" }]);
    expect(chat.tools.calls, name).toEqual([]);
  }
});

test("an agent's own label goes with it, through every protocol", async () => {
  const secret = await label({ providers: ["elsewhere"] });
  const { id } = (await ask("POST", "/agent", { body: { name: nameOf("Clerk") } })).body;
  await put("agent", id, [secret.id]);
  chat.provider.answerTurns(DONE);
  const { of } = await say({ agentId: id });
  expect(of("error")).toMatchObject([{ code: "label_forbids_provider" }]);
  const messages = [{ role: "user", content: "Hello" }];
  const openai = await chat.parlance.request("/v1/chat/completions", {
    body: { model: `agent:${id}`, messages },
  });
  expect(JSON.stringify(await openai.json())).toContain("label_forbids_provider");
  const anthropic = await chat.parlance.request("/v1/messages", {
    body: { model: `agent:${id}`, messages, max_tokens: 100 },
  });
  expect(JSON.stringify(await anthropic.json())).toContain(secret.name);
  expect(chat.provider.requests).toEqual([]);
});

test("a step of an automation is judged by what the steps read whose answers it gets, and by no other", async () => {
  const secret = await label({ openWorld: "ask" });
  const automations = automationsOf(chat.parlance, chat.parlance.token);
  const [reader, heir, stranger] = [
    await automations.agent("reader"),
    await automations.agent("heir", { tools: ["look_up"] }),
    await automations.agent("stranger", { tools: ["look_up"] }),
  ];
  await put("agent", reader, [secret.id]);
  const origin = nameOf("steps").replace(" ", "-");
  const agents = [reader, { id: heir, depends_on: [reader] }, stranger];
  await automations.rule({ type: "text/*", origin, agents });
  chat.provider.answer((_, { messages }) =>
    agentNameOf(messages) === "reader" || messages.some(({ role }) => role === "tool")
      ? DONE
      : call("look_up"),
  );
  const statuses = async (runId: string) => {
    const { agents: steps } = await automations.run(runId);
    return Object.fromEntries(steps.map(({ agentId, status }) => [agentId, status]));
  };
  const { body } = await automations.send("# Note\nThe lighthouse.", "note.md", { origin });
  await vi.waitFor(
    async () =>
      expect(await statuses(body.runId)).toEqual({
        [reader]: "completed",
        [heir]: "approval",
        [stranger]: "completed",
      }),
    90_000,
  );
  expect(chat.tools.calls).toEqual(["look_up"]);
  await automations.ask("POST", `/api/automations/runs/${body.runId}/cancel`);
  defence.isOff = true;
  const again = await automations.send("# Note\nThe beach.", "note.md", { origin });
  expect((await automations.ended(again.body.runId, 90_000)).status).toBe("completed");
  held("labels");
});

test("a response by the search of files carries its labels on to the next one", async () => {
  const secret = await label({ providers: ["elsewhere"] });
  const { folder, document } = await labelled(secret.id);
  await vi.waitFor(
    async () =>
      expect((await ask("GET", `/documents/${document}`)).body.status).toBe("PROCESSED"),
    90_000,
  );
  const search = {
    toolCalls: [
      { id: "call_1", name: "file_search", arguments: { queries: ["lighthouse key"] } },
    ],
  };
  chat.provider.answer((_, { messages }) =>
    messages.at(-1)?.role === "tool" ? DONE : search,
  );
  const respond = async (body: object) =>
    (await (
      await chat.parlance.request("/v1/responses", {
        body: { model: "openai/gpt-test", ...body },
      })
    ).json()) as Record<string, unknown>;
  const input = "Where is the key?";
  const searching = { input, tools: [{ type: "file_search", vector_store_ids: [folder] }] };
  expect(JSON.stringify(await respond(searching))).toContain("label_forbids_provider");
  expect(chat.provider.requests).toHaveLength(1);
  // with a rule that lets it pass, and is stricter later
  await ask("PATCH", `/labels/${secret.id}`, { body: { providers: null } });
  const first = await respond(searching);
  expect(first["status"]).toBe("completed");
  await ask("PATCH", `/labels/${secret.id}`, { body: { providers: ["elsewhere"] } });
  const next = await respond({ input: "Sure?", previous_response_id: first["id"] });
  expect(JSON.stringify(next)).toContain("label_forbids_provider");
  const [item] = (first["output"] as { id: string; type: string }[]).filter(
    ({ type }) => type === "message",
  );
  const referring = await respond({
    input: [
      { type: "item_reference", id: item?.id },
      { role: "user", content: "Sure?" },
    ],
  });
  expect(JSON.stringify(referring)).toContain("label_forbids_provider");
  expect((await respond({ input: "Hello" }))["status"]).toBe("completed");
});

test("a file of a message carries its label when its reply is made again, and when it is labelled later", async () => {
  const secret = await label({ providers: ["elsewhere"] });
  const { body } = await uploadFile(chat.parlance, nameOf("The key"), "key.txt");
  chat.provider.answerTurns(DONE, DONE);
  const { id, of } = await say({ files: [body.id] });
  expect(of("done")).toHaveLength(1);
  await put("document", String(body.id), [secret.id]);
  chat.forgetRequests();
  const [{ messageId }] = of("conversation") as [{ messageId: string }];
  const again = await eventsOf(
    await chat.parlance.request(`/api/v1/conversation/${id}/regenerate`, {
      body: { messageId },
    }),
  );
  for (const events of [
    again,
    await eventsOf(await chat.send({ content: "And now?", conversationId: id })),
  ])
    expect(events.find(({ event }) => event === "error")?.data).toMatchObject({
      code: "label_forbids_provider",
    });
  expect(chat.provider.requests).toEqual([]);
});

test("what a label keeps within groups is shared with them alone, by no link, and exported by them alone", async () => {
  const group = (await ask("POST", "/groups", { body: { name: nameOf("Board") } })).body.id;
  const secret = await label({ openWorld: "allowed", sharing: [group] });
  const { folder, document } = await labelled(secret.id);
  chat.provider.answerTurns(DONE);
  const { id } = await say({ files: [document] });
  const share = (
    resourceType: string,
    resourceId: string,
    subjectType: string,
    to: string,
  ) =>
    ask("POST", "/sharing/share", {
      body: {
        resourceType,
        resourceId,
        shares: [{ subjectType, subjectId: to, accessRole: "viewer" }],
      },
    });
  const refused = [403, "label_forbids_sharing"];
  for (const [type, resource] of [
    ["conversation", id],
    ["folder", folder],
    ["document", document],
  ] as const) {
    const withBob = await share(type, resource, "user", bob.id);
    expect([withBob.status, withBob.body.code], type).toEqual(refused);
    expect(withBob.body.error).toContain(secret.name);
    const link = { body: { enabled: true } };
    const opened = await ask("PUT", `/sharing/links/${type}/${resource}`, link);
    expect([opened.status, opened.body.code], type).toEqual(refused);
    expect((await share(type, resource, "group", group)).status, type).toBe(201);
  }
  const exported = () => ask("GET", `/conversation/${id}/export?format=md`);
  expect([(await exported()).status, (await exported()).body.code]).toEqual([
    403,
    "label_forbids_export",
  ]);
  await ask("PUT", `/groups/${group}/members/${bob.id}`);
  expect((await share("conversation", id, "user", bob.id)).status).toBe(201);
  const bobs = await ask("GET", `/conversation/${id}/export?format=md`, {
    token: bob.token,
  });
  expect(bobs.status).toBe(200);
  held("labels", 7);
});

test("a conversation that is shared beyond a label reads nothing that carries it", async () => {
  const secret = await label({ openWorld: "allowed", sharing: [] });
  const { document } = await labelled(secret.id);
  chat.provider.answerTurns(DONE);
  const { id } = await say({ content: "Hello" });
  const link = { body: { enabled: true } };
  await ask("PUT", `/sharing/links/conversation/${id}`, link);
  chat.forgetRequests();
  const { of } = await say({ conversationId: id, files: [document] });
  expect(of("error")).toMatchObject([
    { code: "label_shared_outside", params: { label: secret.name } },
  ]);
  expect(chat.provider.requests).toEqual([]);
  expect(await on("conversation", id)).toEqual([]);
});

test("a canvas carries the labels of its conversation, and no other canvas takes them in", async () => {
  const secret = await label({ openWorld: "allowed", sharing: [] });
  const { document } = await labelled(secret.id);
  const create = {
    toolCalls: [
      { name: "create_canvas", arguments: { title: "Key", content: "It hangs at nine." } },
    ],
  };
  chat.provider.answerTurns(create, DONE);
  const { of } = await say({
    files: [document],
    tools: ["create_canvas"],
    approval: "never",
  });
  const canvasId = String(of("canvas")[0]?.["canvasId"]);
  const exported = await ask("GET", `/canvas/${canvasId}/export?fileType=md`);
  expect([exported.status, exported.body.code]).toEqual([403, "label_forbids_export"]);
  // another conversation that reads the canvas carries its labels
  const read = { toolCalls: [{ name: "read_canvas", arguments: { canvasId } }] };
  chat.provider.answerTurns(read, DONE);
  const reader = await say({
    content: "Read it",
    tools: ["read_canvas"],
    approval: "never",
  });
  expect(await on("conversation", reader.id)).toMatchObject([{ id: secret.id }]);
  // a canvas of no conversation could not
  const apart = (
    await ask("POST", "/canvas", {
      body: { title: "Apart", type: "markdown", content: "" },
    })
  ).body.id;
  const update = {
    toolCalls: [
      {
        name: "update_canvas",
        arguments: { canvasId: apart, content: "It hangs at nine." },
      },
    ],
  };
  chat.provider.answerTurns(update, DONE);
  const writer = await say({
    files: [document],
    tools: ["update_canvas"],
    approval: "never",
  });
  expect(String(writer.of("tool_result")[0]?.["content"])).toContain(
    "label_needs_conversation",
  );
});

test("owners put labels on, and take off those alone whose rule lets them; every change is recorded", async () => {
  const strict = await label({ removal: "administrators" });
  const loose = await label({ removal: "owners" });
  const token = bob.token;
  const { id } = (await ask("POST", "/agent", { token, body: { name: nameOf("Clerk") } }))
    .body;
  expect((await put("agent", id, [strict.id, loose.id], token)).status).toBe(200);
  const dropped = await put("agent", id, [loose.id], token);
  expect([dropped.status, dropped.body.code]).toEqual([403, "label_removal_refused"]);
  expect((await put("agent", id, [strict.id], token)).status).toBe(200);
  // administrators may, though the agent is not theirs
  expect((await put("agent", id, [])).status).toBe(200);
  const { items } = (await ask("GET", "/audit?action=label.&limit=10")).body;
  expect(items[0]).toMatchObject({
    action: "label.set",
    resourceId: id,
    details: { removed: [{ name: strict.name }] },
  });
  await ask("PATCH", `/labels/${loose.id}`, { body: { openWorld: "refused" } });
  const newest = (await ask("GET", "/audit?action=label.&limit=1")).body.items[0];
  expect(newest).toMatchObject({
    action: "label.changed",
    details: { openWorld: "refused" },
  });
  expect((await ask("PATCH", `/labels/${loose.id}`, { token, body: {} })).status).toBe(403);
});

test("moves take no label off, and end the shares that the new folder's label does not permit", async () => {
  const secret = await label({ sharing: [] });
  const { document } = await labelled(secret.id);
  await ask("PATCH", `/documents/${document}`, { body: { folderId: null } });
  expect(await on("document", document)).toMatchObject([{ id: secret.id, from: "own" }]);
  const { body } = await uploadFile(chat.parlance, nameOf("Open words"), "open.txt");
  await ask("POST", "/sharing/share", {
    body: {
      resourceType: "document",
      resourceId: body.id,
      shares: [{ subjectType: "user", subjectId: bob.id, accessRole: "viewer" }],
    },
  });
  const read = () => ask("GET", `/documents/${body.id}`, { token: bob.token });
  expect((await read()).status).toBe(200);
  const { folder } = await labelled(secret.id);
  await ask("PATCH", `/documents/${body.id}`, { body: { folderId: folder } });
  expect((await read()).status).toBe(404);
});

test("nothing labelled moves to where those have access whom its label keeps out", async () => {
  const secret = await label({ openWorld: "allowed", sharing: [] });
  const { folder: vault, document } = await labelled(secret.id);
  const inner = await newFolder(vault);
  const shared = await newFolder();
  await shareWithBob("folder", shared);
  const refused = [409, "label_shared_outside"];
  const moves = [
    [`/documents/${document}`, { folderId: shared }],
    [`/documents/folders/${vault}`, { parentId: shared }],
    [`/documents/folders/${inner}`, { parentId: shared }],
  ] as const;
  for (const [path, body] of moves) {
    const moved = await ask("PATCH", path, { body });
    expect([moved.status, moved.body.code], path).toEqual(refused);
    expect(moved.body.error).not.toContain(bob.id);
    expect((await ask("GET", path, { token: bob.token })).status, path).toBe(404);
  }
  expect((await ask("GET", `/documents/${document}`)).body).toMatchObject({
    folderId: vault,
  });
  // a link opens it as a share does
  const open = await newFolder();
  await ask("PUT", `/sharing/links/folder/${open}`, { body: { enabled: true } });
  const opened = await ask("PATCH", `/documents/${document}`, { body: { folderId: open } });
  expect([opened.status, opened.body.code]).toEqual(refused);
  expect(await on("document", document)).toMatchObject([{ from: "folder" }]);
});

test("a vector store takes in what its folder may not have without moving it", async () => {
  const secret = await label({ openWorld: "allowed", sharing: [] });
  const upload = (name: string) =>
    uploadFile(chat.parlance, nameOf("Words of the store"), name);
  const kept = (await upload("kept.txt")).body.id;
  const free = (await upload("free.txt")).body.id;
  await put("document", kept, [secret.id]);
  const store = (await (
    await chat.parlance.request("/v1/vector_stores", { body: { name: nameOf("Store") } })
  ).json()) as { id: string };
  const { items } = (await ask("GET", "/documents/folders?limit=100")).body as unknown as {
    items: { id: string; name: string }[];
  };
  const folder = items.find(({ name }) => name === `Store ${count}`)?.id ?? "";
  await shareWithBob("folder", folder);
  for (const id of [kept, free]) {
    const attached = await chat.parlance.request(`/v1/vector_stores/${store.id}/files`, {
      body: { file_id: `file-${id}` },
    });
    expect(attached.status, await attached.text()).toBe(200);
  }
  expect((await ask("GET", `/documents/${kept}`)).body).toMatchObject({ folderId: null });
  expect((await ask("GET", `/documents/${free}`)).body).toMatchObject({ folderId: folder });
  const bobs = (id: string) => ask("GET", `/documents/${id}`, { token: bob.token });
  expect((await bobs(kept)).status).toBe(404);
  expect((await bobs(free)).status).toBe(200);
});

test("a move ends the shares alone that the new folder's label forbids, and records each", async () => {
  const secret = await label({ openWorld: "allowed", sharing: [] });
  const moved = await newFolder();
  const upload = async (name: string) =>
    (
      await uploadFile(chat.parlance, nameOf("Words below"), name, {
        fields: { folderId: moved },
      })
    ).body.id;
  const [guarded, shared, linked] = [
    await upload("guarded.txt"),
    await upload("shared.txt"),
    await upload("linked.txt"),
  ];
  await put("document", guarded, [secret.id]);
  await shareWithBob("document", shared);
  await ask("PUT", `/sharing/links/document/${linked}`, { body: { enabled: true } });
  const bobs = async () => {
    const read = (id: string) => ask("GET", `/documents/${id}`, { token: bob.token });
    return [(await read(shared)).status, (await read(linked)).status];
  };
  const moveTo = (parentId: string) =>
    ask("PATCH", `/documents/folders/${moved}`, { body: { parentId } });
  // the label of the document beside them is none of theirs
  expect((await moveTo(await newFolder())).status).toBe(200);
  expect(await bobs()).toEqual([200, 200]);
  const { folder: vault } = await labelled(secret.id);
  expect((await moveTo(vault)).status).toBe(200);
  expect(await bobs()).toEqual([404, 404]);
  const recorded = async (action: string) =>
    (await ask("GET", `/audit?action=${action}&limit=1`)).body.items[0];
  expect(await recorded("share.revoked")).toMatchObject({
    resourceId: shared,
    details: { subjectId: bob.id, accessRole: "viewer", label: secret.name },
  });
  expect(await recorded("link.changed")).toMatchObject({
    resourceId: linked,
    details: { enabled: false, label: secret.name },
  });
});

test("a link that has expired is left by a move, and judged when it is renewed", async () => {
  const secret = await label({ sharing: [] });
  const moved = await newFolder();
  const settings = { enabled: true, expiresAt: "2020-01-01T00:00:00.000Z" };
  const path = `/sharing/links/folder/${moved}`;
  expect((await ask("PUT", path, { body: settings })).status).toBe(200);
  const { folder: vault } = await labelled(secret.id);
  const body = { parentId: vault };
  expect((await ask("PATCH", `/documents/folders/${moved}`, { body })).status).toBe(200);
  expect((await ask("GET", path)).body).toMatchObject(settings);
  const renewed = await ask("PUT", path, { body: { enabled: true } });
  expect([renewed.status, renewed.body.code]).toEqual([403, "label_forbids_sharing"]);
});

test("a label does not fit what is shared beyond it, nor groups that are unknown", async () => {
  const secret = await label({ sharing: [] });
  const { id } = (await ask("POST", "/agent", { body: { name: nameOf("Clerk") } })).body;
  await ask("PUT", `/sharing/links/agent/${id}`, { body: { enabled: true } });
  const set = await put("agent", id, [secret.id]);
  expect([set.status, set.body.code]).toEqual([409, "label_shared_outside"]);
  const unknown = await ask("POST", "/labels", {
    body: { name: nameOf("Odd"), sharing: ["01900000-0000-7000-8000-000000000000"] },
  });
  expect([unknown.status, unknown.body.code]).toEqual([400, "label_group_unknown"]);
  const twice = await ask("POST", "/labels", { body: { name: secret.name.toUpperCase() } });
  expect([twice.status, twice.body.code]).toEqual([409, "label_name_taken"]);
});
