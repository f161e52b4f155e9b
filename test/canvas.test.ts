import { inflateRawSync } from "node:zlib";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { askBelow, newPerson } from "./support/ask.ts";
import { eventsOf, type TestServer, startTestServer } from "./support/server.ts";
import {
  type ScriptedProvider,
  startScriptedProvider,
} from "./support/scripted-provider.ts";
import { held } from "./support/held.ts";

let parlance: TestServer;
let bob: string;
let provider: ScriptedProvider;
const NOBODY = "01a1fb8b-2522-72b4-a6e7-60a70d8e06b0";
beforeAll(async () => {
  provider = await startScriptedProvider();
  parlance = await startTestServer({
    OPENAI_API_KEY: "k",
    OPENAI_BASE_URL: provider.url,
    OPENAI_MODELS: "gpt-test",
  });
  await parlance.request("/api/v1/users", {
    body: { email: "bob@test.example", name: "Bob", password: "a long enough password" },
  });
  bob = await parlance.signIn("bob@test.example", "a long enough password");
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

const ask = askBelow(() => parlance, "/api/v1/canvas");
const make = async (body: object = {}) =>
  (await ask("POST", "", { body: { title: "Plan", content: "one\ntwo\n", ...body } })).body;

test("a canvas has immutable versions, each based on the newest", async () => {
  const canvas = await make();
  expect(canvas).toMatchObject({
    title: "Plan",
    type: "markdown",
    version: 1,
    content: "one\ntwo\n",
  });
  const add = (baseVersion: number, content: string) =>
    ask("POST", `/${canvas.id}/versions`, { body: { baseVersion, content } });
  expect((await add(1, "one\nthree\n")).body.version).toBe(2);
  const stale = await add(1, "late");
  expect([stale.status, stale.body.code, stale.body["details"]]).toEqual([
    409,
    "canvas_changed",
    { version: 2 },
  ]);
  const both = await Promise.all(Array.from({ length: 5 }, (_, n) => add(2, `n${n}`)));
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  expect((await ask("GET", `/${canvas.id}`)).body.version).toBe(3);
  expect((await ask("GET", `/${canvas.id}?version=1`)).body.content).toBe("one\ntwo\n");
  expect((await ask("GET", `/${canvas.id}?version=9`)).body.code).toBe("version_not_found");
  expect((await ask("GET", `/${canvas.id}/versions?limit=2`)).body).toMatchObject({
    total: 3,
    items: [{ version: 3 }, { version: 2 }],
  });
  expect((await ask("GET", `/${canvas.id}/diff?from=1&to=2`)).body["changes"]).toEqual([
    { kind: "same", lines: 1, text: "one\n" },
    { kind: "removed", lines: 1, text: "two\n" },
    { kind: "added", lines: 1, text: "three\n" },
  ]);
});

test("another user's canvas does not exist on any route, and anonymous callers get nothing", async () => {
  const { id } = await make();
  for (const [method, path, body] of [
    ["GET", ""],
    ["PATCH", "", { title: "Mine" }],
    ["DELETE", ""],
    ["POST", "/restore"],
    ["GET", "/versions"],
    ["POST", "/versions", { baseVersion: 1, content: "x" }],
    ["GET", "/diff?from=1&to=1"],
    ["GET", "/export?fileType=md"],
  ] as const) {
    for (const canvas of [id, NOBODY])
      expect([
        method,
        path,
        (await ask(method, `/${canvas}${path}`, { token: bob, body })).body.code,
      ]).toEqual([method, path, "canvas_not_found"]);
    expect((await ask(method, `/${id}${path}`, { token: null, body })).status).toBe(401);
  }
  expect((await ask("GET", "", { token: bob })).body.total).toBe(0);
  const foreign = await ask("POST", "", {
    token: bob,
    body: { title: "x", content: "", conversationId: NOBODY },
  });
  expect(foreign.body.code).toBe("conversation_not_found");
});

test("readers of a conversation read its canvases, editors change them unless locked, and only the owner deletes", async () => {
  const people = {
    vera: await newPerson(parlance, "vera"),
    ed: await newPerson(parlance, "ed"),
    eve: await newPerson(parlance, "eve"),
  };
  const roles = [
    ["vera", "viewer"],
    ["ed", "editor"],
    ["eve", "editor"],
  ] as const;
  const conversationId = await aConversation(
    roles.map(([name, role]) => ({ id: people[name].id, role })),
  );
  const { vera, ed, eve } = people;
  const { id } = await make({ conversationId, title: "Ours" });
  const as = (token: string, method: string, path: string, body?: object) =>
    ask(method, path, { token, body });
  const write = (token: string, baseVersion: number) =>
    as(token, "POST", `/${id}/versions`, { baseVersion, content: `after ${baseVersion}` });

  for (const { token } of [vera, ed]) {
    expect((await as(token, "GET", `/${id}`)).body.title).toBe("Ours");
    expect((await as(token, "GET", `?conversationId=${conversationId}`)).body.total).toBe(
      1,
    );
    expect((await as(token, "GET", `/${id}/export?fileType=txt`)).status).toBe(200);
    expect((await as(token, "DELETE", `/${id}`)).body.code).toBe("canvas_read_only");
    expect((await as(token, "GET", "")).body.total).toBe(0);
  }
  expect((await as(bob, "GET", `?conversationId=${conversationId}`)).body.code).toBe(
    "conversation_not_found",
  );
  expect((await write(vera.token, 1)).body.code).toBe("canvas_read_only");
  expect((await write(ed.token, 1)).body.version).toBe(2);
  expect((await ask("GET", `/${id}/versions`)).body.items[0]).toMatchObject({
    version: 2,
    createdBy: ed.id,
  });

  const lock = (token: string, method = "POST") =>
    parlance.request(`/api/v1/sharing/locks/conversation/${conversationId}`, {
      method,
      token,
    });
  const { token: fence } = (await (await lock(eve.token)).json()) as { token: number };
  expect([
    (await write(ed.token, 2)).status,
    (await write(parlance.token, 2)).status,
  ]).toEqual([423, 423]);
  expect((await as(ed.token, "PATCH", `/${id}`, { title: "Mine" })).body.code).toBe(
    "locked",
  );
  expect(
    (await as(ed.token, "POST", "", { title: "x", content: "", conversationId })).status,
  ).toBe(423);
  expect((await ask("DELETE", `/${id}`)).status).toBe(423);
  for (const { token, role } of [
    { token: vera.token, role: "viewer" },
    { token: ed.token, role: "editor" },
    { token: parlance.token, role: "owner" },
  ])
    expect((await as(token, "GET", `/${id}/state`)).body).toMatchObject({
      version: 2,
      role,
      lock: { userId: eve.id, userName: "eve" },
    });
  expect((await write(eve.token, 2)).body.version).toBe(3);
  await lock(eve.token, "DELETE");
  expect((await as(vera.token, "GET", `/${id}/state`)).body["lock"]).toBeNull();
  await lock(ed.token);
  await lock(ed.token, "DELETE");
  const late = (token: string | number) =>
    parlance.request(`/api/v1/canvas/${id}`, {
      method: "PATCH",
      token: eve.token,
      body: { title: "Late" },
      headers: { "x-lock-token": String(token) },
    });
  expect(await (await late(fence)).json()).toMatchObject({ code: "lock_lost" });
  expect((await late("x")).status).toBe(400);
  expect((await late(fence + 1)).status).toBe(200);

  // a canvas that an editor adds belongs to the conversation's owner; without the share the editor
  // cannot reach it
  const added = (
    await as(ed.token, "POST", "", { title: "Added", content: "", conversationId })
  ).body;
  expect((await ask("GET", `/${added.id}`)).status).toBe(200);
  await revokeAll(conversationId);
  for (const canvas of [id, added.id])
    expect((await as(ed.token, "GET", `/${canvas}`)).body.code).toBe("canvas_not_found");
  expect((await as(ed.token, "GET", "/trash")).body.total).toBe(0);
});

/** A shared conversation of the administrator. */
async function aConversation(shares: { id: string; role: string }[]): Promise<string> {
  const made = await parlance.request("/api/v1/conversation", {
    body: { content: "hello", stream: false },
  });
  const { conversationId } = (await made.json()) as { conversationId: string };
  const body = {
    resourceType: "conversation",
    resourceId: conversationId,
    shares: shares.map(({ id, role }) => ({
      subjectType: "user",
      subjectId: id,
      accessRole: role,
    })),
  };
  await vi.waitFor(
    async () =>
      expect((await parlance.request("/api/v1/sharing/share", { body })).status).toBe(201),
    90_000,
  );
  return conversationId;
}

async function revokeAll(conversationId: string): Promise<void> {
  const listed = await parlance.request(
    `/api/v1/sharing/shares/conversation/${conversationId}`,
  );
  for (const { id } of ((await listed.json()) as { items: { id: string }[] }).items)
    await parlance.request(`/api/v1/sharing/shares/${id}`, { method: "DELETE" });
}

test.each([
  "?limit=101",
  "?page=0",
  "/trash?limit=0",
  `/${NOBODY}/export?fileType=exe`,
  `/${NOBODY}/export`,
  `/${NOBODY}/diff?from=0&to=1`,
  "/nothing",
])("%s is refused", async (path) => {
  expect((await ask("GET", path)).body.code).toBe("validation_failed");
});

test("a deleted canvas is in the trash and can be restored", async () => {
  const { id } = await make({ title: "Gone" });
  expect((await ask("DELETE", `/${id}`)).status).toBe(204);
  expect((await ask("GET", `/${id}`)).status).toBe(404);
  expect((await ask("GET", "/trash")).body.items.map(({ title }) => title)).toContain(
    "Gone",
  );
  expect((await ask("POST", `/${id}/restore`)).body.title).toBe("Gone");
  expect((await ask("PATCH", `/${id}`, { body: { title: "Back" } })).body.title).toBe(
    "Back",
  );
});

const DOCUMENT = `# Grüße aus Köln

Ein *kursiver*, **fetter** und ~~falscher~~ Absatz mit \`code()\` und [Link](https://example.org/a?b=1&c=2).

1. erstens
2. zweitens
   - darunter Ä
   - [x] erledigt

| Name | Preis |
| :--- | ---: |
| Käse | 3,50 € |
| Öl & Essig | 12 |

\`\`\`js
const größe = "<b>";
\`\`\`

> Zitat

<script>alert(1)</script> <img src=x onerror=alert(2)> ![Bild](https://evil.example/x.png) [böse](javascript:alert(3))
`;

/** The parts of a ZIP file by name. Source: PKWARE APPNOTE, central directory. */
function unzip(bytes: Buffer): Map<string, string> {
  const parts = new Map<string, string>();
  for (
    let at = bytes.indexOf("PK\u0001\u0002");
    at >= 0;
    at = bytes.indexOf("PK\u0001\u0002", at + 4)
  ) {
    const [compressed, nameLength, local] = [
      bytes.readUInt32LE(at + 20),
      bytes.readUInt16LE(at + 28),
      bytes.readUInt32LE(at + 42),
    ];
    const name = bytes.subarray(at + 46, at + 46 + nameLength).toString();
    const start =
      local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const data = bytes.subarray(start, start + compressed);
    parts.set(
      name,
      (bytes.readUInt16LE(local + 8) === 8 ? inflateRawSync(data) : data).toString(),
    );
  }
  return parts;
}

test("a document is exported to every format with headings, lists, tables, code and umlauts, and without active content", async () => {
  const { id } = await make({ title: 'Grüße/"x"\r\n', content: DOCUMENT });
  const get = (fileType: string) => ask("GET", `/${id}/export?fileType=${fileType}`);

  const html = await get("html");
  expect(html.headers.get("content-disposition")).toMatch(
    /^attachment; filename="[^"]*\.html"; filename\*=UTF-8''Gr%C3%BC%C3%9Fe/,
  );
  expect(html.text).toContain("<h1>Grüße aus Köln</h1>");
  expect(html.text).toContain("<em>kursiver</em>");
  expect(html.text).toContain('<td style="text-align:right">3,50 €</td>');
  expect(html.text).toContain("<li>darunter Ä</li>");
  expect(html.text).toContain('<a href="https://example.org/a?b=1&#38;c=2"');
  expect(html.text.replace(/<(?!script|img)[^>]*>/g, "")).not.toMatch(
    /<script|<img|javascript:alert\(3\)"/,
  );
  expect(html.text).not.toContain('href="javascript');

  const txt = await get("txt");
  expect(txt.text).toContain("2. zweitens\n  - darunter Ä\n  [x] erledigt");
  expect(txt.text).toContain("Käse        3,50 €");
  expect((await get("md")).text).toBe(DOCUMENT);

  const docx = unzip((await get("docx")).bytes);
  const word = docx.get("word/document.xml") ?? "";
  expect(word).toContain('<w:pStyle w:val="Heading1"/>');
  expect(word).toContain("Grüße aus Köln");
  expect(word.match(/<w:tr>/g)).toHaveLength(3);
  expect(word).toContain("const größe = &quot;&lt;b&gt;&quot;;");
  expect(word).toContain("<w:numPr>");
  expect(docx.get("word/_rels/document.xml.rels")).toContain(
    "https://example.org/a?b=1&amp;c=2",
  );
  expect(docx.get("word/_rels/document.xml.rels")).not.toContain("javascript:");

  const pdf = await get("pdf");
  expect(pdf.headers.get("content-type")).toBe("application/pdf");
  expect(pdf.bytes.subarray(0, 5).toString()).toBe("%PDF-");
  expect(pdf.bytes.subarray(-6).toString()).toContain("%%EOF");
  expect(pdf.text).toContain("https://example.org/a?b=1&c=2");
  held("exports", 5);
  expect((await get("json")).body.code).toBe("file_type_unsupported");
});

test("a model writes and revises a canvas where permitted, with events, and keeps the user's own changes", async () => {
  const turns: ReturnType<Parameters<ScriptedProvider["answer"]>[0]>[] = [
    {
      toolCalls: [
        {
          name: "create_canvas",
          arguments: { title: "Letter", content: "Dear Ada,\nhello." },
        },
      ],
    },
    { text: ["I wrote it."] },
  ];
  let canvasId = "";
  provider.answer((_, { messages }) =>
    String(messages[0]?.content).startsWith("Write a title")
      ? { text: ["Letter"] }
      : (turns.shift() ?? {}),
  );
  const say = async (more: object) => {
    const response = await parlance.request("/api/v1/conversation", {
      body: {
        content: "a letter",
        tools: ["create_canvas", "update_canvas", "read_canvas"],
        ...more,
      },
    });
    return eventsOf(response);
  };
  const events = await say({});
  expect(events.map(({ event }) => event).filter((event) => event !== "title")).toEqual([
    "conversation",
    "tool_call",
    "canvas",
    "tool_result",
    "text_delta",
    "done",
  ]);
  canvasId = String(events.find(({ event }) => event === "canvas")?.data["canvasId"]);
  expect(events.at(-1)?.data).toMatchObject({
    finishReason: "stop",
    content: "I wrote it.",
    iterations: 2,
  });
  const conversationId = String(events[0]?.data["conversationId"]);
  expect(
    (await ask("GET", `?conversationId=${conversationId}`)).body.items.map(({ id }) => id),
  ).toEqual([canvasId]);

  await ask("POST", `/${canvasId}/versions`, {
    body: { baseVersion: 1, content: "Dear Ada,\nhello from Bob." },
  });
  turns.push(
    {
      toolCalls: [
        { name: "read_canvas", arguments: { canvasId } },
        { name: "update_canvas", arguments: { canvasId: NOBODY, content: "x" } },
      ],
    },
    {
      toolCalls: [
        {
          name: "update_canvas",
          arguments: { canvasId, edits: [{ find: "hello", replace: "greetings" }] },
        },
      ],
    },
    {
      toolCalls: [
        {
          name: "update_canvas",
          arguments: { canvasId, edits: [{ find: "absent", replace: "" }] },
        },
        { name: "create_canvas", arguments: {} },
      ],
    },
    { text: ["Done."] },
  );
  const more = await say({ conversationId });
  const results = more
    .filter(({ event }) => event === "tool_result")
    .map(
      ({ data }) => `${String(data["name"])}: ${data["isError"] ? "fails" : "succeeds"}`,
    );
  // the calls of a turn run concurrently, and their results arrive in any order
  expect(results.toSorted()).toEqual([
    "create_canvas: fails",
    "read_canvas: succeeds",
    "update_canvas: fails",
    "update_canvas: fails",
    "update_canvas: succeeds",
  ]);
  expect((await ask("GET", `/${canvasId}`)).body).toMatchObject({
    version: 3,
    content: "Dear Ada,\ngreetings from Bob.",
  });
  // what a reply wrote is stored with it, and the versions say who wrote them
  const thread = await parlance.request(`/api/v1/conversation/${conversationId}/messages`);
  const { items } = (await thread.json()) as {
    items: { id: string; canvases: object[] }[];
  };
  expect(items.map(({ canvases }) => canvases)).toEqual([
    [],
    [{ canvasId, version: 1, title: "Letter" }],
    [],
    [{ canvasId, version: 3, title: "Letter" }],
  ]);
  expect((await ask("GET", `/${canvasId}/versions`)).body.items).toMatchObject([
    { version: 3, createdByName: "Administrator", messageId: items[3]?.id },
    { version: 2, messageId: null },
    { version: 1, messageId: items[1]?.id },
  ]);
  // without permission the tools are not offered
  turns.push({ text: ["No tools."] });
  await say({ tools: [] });
  expect(
    provider.requests.at(-1)?.tools ?? provider.requests.at(-2)?.tools,
  ).toBeUndefined();
});

test("a model knows of the open canvas, and may change it even if nothing else permits its tools", async () => {
  const { id } = await make({ title: "Open one" });
  provider.answer((_, { messages }) =>
    messages.at(-1)?.role === "tool"
      ? { text: ["Changed."] }
      : {
          toolCalls: [
            { name: "update_canvas", arguments: { canvasId: id, content: "shorter" } },
          ],
        },
  );
  const before = provider.requests.length;
  await parlance.request("/api/v1/conversation", {
    body: { content: "Make it shorter", canvasId: id, stream: false },
  });
  const [first] = provider.requests.slice(before).filter(({ tools }) => tools);
  expect(String(first?.messages[0]?.content)).toContain(`"Open one"`);
  expect(String(first?.messages[0]?.content)).toContain(id);
  const offered = first?.tools?.map((tool) => tool.function.name);
  expect(offered?.toSorted()).toEqual(["read_canvas", "update_canvas"]);
  expect((await ask("GET", `/${id}`)).body).toMatchObject({
    version: 2,
    content: "shorter",
  });
  const others = await ask("POST", "", {
    token: bob,
    body: { title: "Bob's", content: "" },
  });
  const refused = await parlance.request("/api/v1/conversation", {
    body: { content: "Read it", canvasId: others.body.id },
  });
  expect(((await refused.json()) as { code: string }).code).toBe("canvas_not_found");
});

test("an HTML canvas is exported as displayed, and runs and fetches nothing", async () => {
  const content = `<style>p{background:url(https://evil.example/a)}</style><h1>Report</h1>
    <p onclick="x()">Hello <b>bold</b> <a href="https://example.org/a">link</a><br>next</p>
    <table><tr><th>A<th>B<tr><td>1<td>2</table><img src="https://evil.example/x.png">
    <script>alert(1)</script><a href="javascript:alert(2)">bad</a><iframe src="//evil.example">`;
  const { id } = await make({ type: "html", content });
  const get = (fileType: string) => ask("GET", `/${id}/export?fileType=${fileType}`);
  const { text: html } = await get("html");
  expect(html).toContain("<h1>Report</h1>");
  expect(html).toContain("Hello <strong>bold</strong>");
  expect(html).toContain('<a href="https://example.org/a"');
  expect(html).toContain("<td>1</td><td>2</td>");
  expect(html).not.toMatch(/<script|<img|<iframe|onclick|javascript:|url\(|alert/);
  expect((await get("txt")).text).toContain("A  B\n1  2");
  const word = unzip((await get("docx")).bytes).get("word/document.xml") ?? "";
  expect(word).toContain('<w:pStyle w:val="Heading1"/>');
  expect(word).not.toContain("alert");
  const pdf = await get("pdf");
  expect(pdf.text).toContain("https://example.org/a");
  expect(pdf.text).not.toContain("javascript:");
  held("exports", 4);
});

test("code is exported unchanged", async () => {
  const code = await make({ type: "code", language: "python", content: 'print("```")' });
  expect((await ask("GET", `/${code.id}/export?fileType=txt`)).text).toBe('print("```")');
  expect((await ask("GET", `/${code.id}/export?fileType=md`)).text).toBe(
    '````python\nprint("```")\n````\n',
  );
  expect((await ask("GET", `/${code.id}/export?fileType=json`)).body).toMatchObject({
    language: "python",
    content: 'print("```")',
  });
  const page = await make({ type: "html", content: "<script>alert(1)</script>" });
  expect((await ask("GET", `/${page.id}/export?fileType=html`)).text).not.toContain(
    "<script>",
  );
});
