import { inflateRawSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { askBelow } from "./support/ask.ts";
import { held } from "./support/held.ts";
import { type TestServer, startTestServer } from "./support/server.ts";

let parlance: TestServer;
beforeAll(async () => {
  parlance = await startTestServer();
});
afterAll(() => parlance[Symbol.asyncDispose]());

const ask = askBelow(() => parlance, "/api/v1/canvas");
const make = async (body: object = {}) =>
  (await ask("POST", "", { body: { title: "Plan", content: "one\ntwo\n", ...body } })).body;

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
