import { tmpdir } from "node:os";
import { toMarkdown } from "@parlance/to-markdown";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chooseIsolation } from "../src/platform/isolation/choose-isolation.ts";
import { lackingGuarantees } from "../src/platform/isolation/isolation.ts";
import { newPerson } from "./support/ask.ts";
import { uploadFile } from "./support/upload-file.ts";
import { eventsOf, type TestServer } from "./support/server.ts";
import type { ScriptedProvider } from "./support/scripted-provider.ts";
import { type ScriptedServer, startScriptedServer } from "./support/scripted-server.ts";

const isIsolated = lackingGuarantees(await chooseIsolation("auto", tmpdir())).length === 0;

let server: ScriptedServer;
let parlance: TestServer;
let bob: string;
let provider: ScriptedProvider;
beforeAll(async () => {
  server = await startScriptedServer();
  ({ parlance, provider, bob } = server);
});
afterAll(() => server[Symbol.asyncDispose]());

interface StoredFile {
  kind: string;
  name: string;
  mediaType: string;
  data: string;
  fileId: string;
  size: number;
}

interface Listed {
  id: string;
  kind: string;
  name: string;
}

interface Said {
  conversationId: string;
  content: string;
  isError: boolean;
  files: StoredFile[];
}

/** A message whose reply runs this code. @returns the result of the call. */
async function runs(
  code: string,
  more: object = {},
  look: (events: Awaited<ReturnType<typeof eventsOf>>) => void = () => {},
): Promise<Said> {
  let turn = 0;
  provider.answer((_, { messages }) => {
    if (String(messages[0]?.content).startsWith("Write a title")) return { text: ["Code"] };
    turn += 1;
    return turn === 1
      ? { toolCalls: [{ name: "run_python", arguments: { code } }] }
      : { text: ["There it is."] };
  });
  const body = { content: "compute", tools: ["toolset:code"], ...more };
  const events = eventsOf(await parlance.request("/api/v1/conversation", { body }));
  const all = await events;
  look(all);
  const result = all.find(({ event }) => event === "tool_result")?.data ?? {};
  return {
    conversationId: String(all[0]?.data["conversationId"]),
    files: [],
    ...result,
  } as unknown as Said;
}

const read = (fileId: string, query = "", token?: string) =>
  parlance.request(`/api/v1/conversation/files/${fileId}/content${query}`, {
    ...(token && { token }),
  });

describe.skipIf(!isIsolated)("code in a reply", () => {
  test("runs, and its variables and files are there in the next message", async () => {
    const first = await runs("x = 40\nopen('kept.txt', 'w').write('kept')\nx + 2");
    expect(first.isError).toBe(false);
    expect(first.content).toMatch(/^42\n\[Wrote: kept.txt\]\n\[New session of Python 3/);
    const { conversationId } = first;
    const second = await runs("x, open('kept.txt').read()", { conversationId });
    expect(second.content).toBe("(40, 'kept')");
  });

  test("shows what it prints before its result, to whoever reads the reply", async () => {
    let printed = "";
    const { conversationId, content } = await runs("print('first')", {}, (events) => {
      const kinds = events.map(({ event }) => event);
      expect(kinds.indexOf("tool_output")).toBeLessThan(kinds.indexOf("tool_result"));
      const [call] = events.filter(({ event }) => event === "tool_call");
      for (const { event, data } of events) {
        if (event !== "tool_output") continue;
        expect(data["toolCallId"]).toBe(call?.data["toolCallId"]);
        printed += String(data["output"]);
      }
    });
    expect(printed).toBe("first\n");
    expect(content).toMatch(/^first\n/);
    const stored = await parlance.request(`/api/v1/conversation/${conversationId}`);
    expect(JSON.stringify(await stored.json())).toContain("first");
  });

  test("writes files that the owner and readers of the conversation open, and nobody else", async () => {
    const { conversationId, files } = await runs(
      `open("a.csv", "w").write("a,b\\n")
open("page.html", "w").write("<script>alert(1)</script>")
open("dot.png", "wb").write(b"\\x89PNG\\r\\n\\x1a\\n" + bytes(9));`,
    );
    const names = files.map(({ name, kind, size }) => [name, kind, size]);
    expect(names).toEqual([
      ["dot.png", "image", 17],
      ["a.csv", "file", 4],
      ["page.html", "file", 25],
    ]);
    const [picture, table, page] = files.map(({ fileId }) => fileId);
    const answer = await read(table ?? "");
    expect(await answer.text()).toBe("a,b\n");
    expect(answer.headers.get("content-disposition")).toContain("attachment");
    expect(
      (await read(picture ?? "", "?inline=true")).headers.get("content-disposition"),
    ).toContain(`inline; filename="dot.png"`);
    const html = await read(page ?? "", "?inline=true");
    expect(html.headers.get("content-disposition")).toContain("attachment");
    await html.body?.cancel();

    const eve = await newPerson(parlance, "eve");
    expect((await read(table ?? "", "", eve.token)).status).toBe(404);
    await share(conversationId, eve.id);
    expect((await read(table ?? "", "", eve.token)).status).toBe(200);
    expect((await read(table ?? "", "", bob)).status).toBe(404);
    // a picture's bytes are kept with the reply, too, for the model and the page
    const kept = await filesOfReply(conversationId);
    expect(kept.map(({ data }) => data === "")).toEqual([false, true, true]);
  });

  test("offers workbooks, texts and slides that it writes, whose text documents have", async () => {
    const { files } = await runs(`import zipfile
def office(name, parts):
    with zipfile.ZipFile(name, "w") as file:
        for path, text in parts.items(): file.writestr(path, text)
head = '<?xml version="1.0" encoding="UTF-8"?>'
rels = "http://schemas.openxmlformats.org/package/2006/relationships"
kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
types = "http://schemas.openxmlformats.org/package/2006/content-types"
vnd = "application/vnd.openxmlformats-officedocument"
def parts(main, main_type, more):
    return {
        "[Content_Types].xml": f'{head}<Types xmlns="{types}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/{main}" ContentType="{vnd}.{main_type}"/></Types>',
        "_rels/.rels": f'{head}<Relationships xmlns="{rels}"><Relationship Id="r1" Type="{kind}/officeDocument" Target="{main}"/></Relationships>',
        **more,
    }
w = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
office("letter.docx", parts("word/document.xml", "wordprocessingml.document.main+xml", {
    "word/document.xml": f'{head}<w:document xmlns:w="{w}"><w:body><w:p><w:r><w:t>Harbour letter</w:t></w:r></w:p></w:body></w:document>'}))
s = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
office("sums.xlsx", parts("xl/workbook.xml", "spreadsheetml.sheet.main+xml", {
    "xl/workbook.xml": f'{head}<workbook xmlns="{s}" xmlns:r="{kind}"><sheets><sheet name="Sums" sheetId="1" r:id="s1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'{head}<Relationships xmlns="{rels}"><Relationship Id="s1" Type="{kind}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
    "xl/worksheets/sheet1.xml": f'{head}<worksheet xmlns="{s}"><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>Harbour sums</t></is></c><c r="B1"><v>42</v></c></row></sheetData></worksheet>'}))
p = "http://schemas.openxmlformats.org/presentationml/2006/main"
a = "http://schemas.openxmlformats.org/drawingml/2006/main"
office("talk.pptx", parts("ppt/presentation.xml", "presentationml.presentation.main+xml", {
    "ppt/presentation.xml": f'{head}<p:presentation xmlns:p="{p}" xmlns:r="{kind}"><p:sldIdLst><p:sldId id="256" r:id="s1"/></p:sldIdLst></p:presentation>',
    "ppt/_rels/presentation.xml.rels": f'{head}<Relationships xmlns="{rels}"><Relationship Id="s1" Type="{kind}/slide" Target="slides/slide1.xml"/></Relationships>',
    "ppt/slides/slide1.xml": f'{head}<p:sld xmlns:p="{p}" xmlns:a="{a}"><p:cSld><p:spTree><p:sp><p:txBody><a:p><a:r><a:t>Harbour talk</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>'}))`);
    expect(files.map(({ name, mediaType }) => [name, mediaType])).toEqual([
      [
        "letter.docx",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
      ],
      ["sums.xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
      [
        "talk.pptx",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
      ],
    ]);
    for (const { fileId, name } of files) {
      const bytes = new Uint8Array(await (await read(fileId)).arrayBuffer());
      const { markdown } = await toMarkdown(bytes, { fileName: name });
      expect(markdown).toContain("Harbour");
    }
  });

  test("reads the files that were attached to the conversation", async () => {
    const { body } = await uploadFile(parlance, "n\n1\n2\n39\n", "numbers.csv");
    const code =
      "import csv\nsum(int(row['n']) for row in csv.DictReader(open('numbers.csv')))";
    const { content } = await runs(code, { files: [body.id] });
    expect(content).toMatch(/^42\n/);
    expect(content).toContain("Files here: numbers.csv");
  });

  test("lists the newest files of each name and what was attached, and deletes what code wrote", async () => {
    const { body } = await uploadFile(parlance, "n\n1\n", "given.csv");
    const { conversationId } = await runs("open('a.txt', 'w').write('one');", {
      files: [body.id],
    });
    await runs("open('a.txt', 'w').write('second');", { conversationId });
    const path = `/api/v1/conversation/${conversationId}/files`;
    const list = async (query = "", token?: string) => {
      const answer = await parlance.request(`${path}${query}`, { ...(token && { token }) });
      return { status: answer.status, ...((await answer.json()) as { items: Listed[] }) };
    };
    const { items } = await list();
    expect(items).toMatchObject([
      { kind: "written", name: "a.txt", size: 6, mediaType: "text/plain" },
      { kind: "attached", name: "given.csv", id: body.id },
    ]);
    expect((await list("?limit=1&page=2")).items).toMatchObject([{ name: "given.csv" }]);

    const fay = await newPerson(parlance, "fay");
    expect((await list("", fay.token)).status).toBe(404);
    await share(conversationId, fay.id);
    // a viewer of the conversation sees no document of it by that
    expect((await list("", fay.token)).items).toMatchObject([{ name: "a.txt" }]);
    const remove = async (fileId = "", token?: string) =>
      (
        await parlance.request(`${path}/${fileId}`, {
          method: "DELETE",
          ...(token && { token }),
        })
      ).status;
    expect(await remove(items[0]?.id, fay.token)).toBe(403);
    const other = await runs("open('b.txt', 'w').write('other');");
    // a file of another conversation
    expect(await remove(other.files[0]?.fileId)).toBe(404);
    expect(await remove(items[0]?.id)).toBe(204);
    expect((await list()).items).toMatchObject([{ name: "given.csv" }]);
    expect((await read(items[0]?.id ?? "")).status).toBe(404);
    expect(await remove(items[0]?.id)).toBe(404);
  });

  test("says why code ended, with what it printed", async () => {
    const { content, isError } = await runs("print('begun')\nwhile True: print('x' * 100)");
    expect(isError).toBe(true);
    expect(content).toMatch(/^begun\nx+/);
    expect(content).toContain("characters left out");
    expect(content).toContain("[Ended: it printed more than 100000 characters.]");
  });

  test("files go with their conversation", async () => {
    const { conversationId, files } = await runs("open('gone.txt', 'w').write('x');");
    const path = `/api/v1/conversation`;
    await parlance.request(`${path}/${conversationId}`, { method: "DELETE" });
    await parlance.request(`${path}/trash/${conversationId}`, { method: "DELETE" });
    expect((await read(files[0]?.fileId ?? "")).status).toBe(404);
  });
});

async function share(conversationId: string, userId: string): Promise<void> {
  const shares = [{ subjectType: "user", subjectId: userId, accessRole: "viewer" }];
  const body = { resourceType: "conversation", resourceId: conversationId, shares };
  const { status } = await parlance.request("/api/v1/sharing/share", { body });
  expect(status).toBeLessThan(300);
}

async function filesOfReply(conversationId: string): Promise<StoredFile[]> {
  const path = `/api/v1/conversation/${conversationId}/messages`;
  const { items } = (await (await parlance.request(path)).json()) as {
    items: { toolCalls: { files?: StoredFile[] }[] }[];
  };
  return items.flatMap(({ toolCalls }) => toolCalls.flatMap(({ files = [] }) => files));
}
