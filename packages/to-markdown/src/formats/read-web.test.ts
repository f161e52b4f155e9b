import { expect, test } from "vitest";
import { fileToMarkdown } from "./file-to-markdown.ts";

const read = async (text: string, fileName: string) =>
  (await fileToMarkdown(Buffer.from(text), { fileName })).markdown;

test("resolves relative links from the base of their page", async () => {
  const page = (base: string) =>
    `<html><body>${base}<a href="p.html">rel</a> <a href="/r">root</a> <a href="#f">frag</a> <a href="mailto:x@a.org">mail</a></body></html>`;
  expect(await read(page('<base href="https://a.org/docs/">'), "a.html")).toBe(
    "[rel](https://a.org/docs/p.html) [root](https://a.org/r) [frag](#f) [mail](mailto:x@a.org)",
  );
  expect(await read(page('<base href="javascript:x()">'), "a.html")).toContain(
    "[rel](p.html)",
  );
});

test.each([
  ['<ol start="3"><li>a<li value="7">b<li>c</ol>', "3. a\n7. b\n8. c"],
  ["<ol reversed><li>a<li>b</ol>", "2. a\n1. b"],
  ['<ol type="a"><li>x<li>y</ol>', "- a. x\n- b. y"],
  ['<ol type="I" start="4"><li>x</ol>', "- IV. x"],
])("numbers items of %s as displayed", async (html, markdown) => {
  expect(await read(`<html><body>${html}</body></html>`, "a.html")).toBe(markdown);
});

test("reads titles of feeds as text, whatever their type", async () => {
  const feed = (title: string) =>
    `<feed><title>F</title><entry>${title}<link href="https://a.org"/></entry></feed>`;
  expect(
    await read(feed('<title type="html">&lt;i>Slanted&lt;/i> one</title>'), "a.xml"),
  ).toContain("[Slanted one](https://a.org)");
  expect(await read(feed("<title>1 &lt; 2</title>"), "a.xml")).toContain(
    "[1 < 2](https://a.org)",
  );
});

test("reads the cells of a notebook, without the bytes of pictures", async () => {
  const bytes = "iVBOR".repeat(100);
  const notebook = {
    nbformat: 4,
    metadata: { language_info: { name: "python" } },
    cells: [
      {
        cell_type: "markdown",
        source: ["# Head\n", `![x](data:image/png;base64,${bytes})`],
      },
      {
        cell_type: "code",
        source: "print(1)",
        outputs: [
          { output_type: "stream", text: ["1\n"] },
          { output_type: "display_data", data: { "image/png": bytes } },
          {
            output_type: "execute_result",
            data: { "text/html": "<table><tr><th>a<th>b<tr><td>1<td>2</table>" },
          },
          { output_type: "error", ename: "ValueError", evalue: "no" },
        ],
      },
    ],
  };
  expect(await read(JSON.stringify(notebook), "a.ipynb")).toBe(
    "# Head\n![x](image)\n\n```python\nprint(1)\n```\n\n```\n1\n```\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n```\nValueError: no\n```",
  );
  expect(await read('{"cells": 1}', "a.json")).toContain("```json");
});

test.each([false, true])(
  "shows the text of a signed message, indefinite: %s",
  async (isIndefinite) => {
    const part = (tag: number, ...bodies: Buffer[]) => {
      const body = Buffer.concat(bodies);
      return isIndefinite && tag !== 6 && tag !== 4
        ? Buffer.concat([Buffer.from([tag, 0x80]), body, Buffer.from([0, 0])])
        : Buffer.concat([Buffer.from([tag, body.length]), body]);
    };
    const oid = (last: number) => part(6, Buffer.from(`2a864886f70d01070${last}`, "hex"));
    const words = part(4, Buffer.from("Content-Type: text/plain\r\n\r\nSigned words"));
    const content = isIndefinite ? part(0x24, words) : words;
    const digests = Buffer.from([0x31, 0]);
    const version = Buffer.from([2, 1, 1]);
    const signed = part(0x30, version, digests, part(0x30, oid(1), part(0xa0, content)));
    const message = part(0x30, oid(2), part(0xa0, signed));
    const mail = `From: Ada <a@b.org>\r\nSubject: Opaque\r\nMIME-Version: 1.0\r\nContent-Type: application/pkcs7-mime; smime-type=signed-data; name=smime.p7m\r\nContent-Transfer-Encoding: base64\r\n\r\n${message.toString("base64")}`;
    const markdown = await read(mail, "a.eml");
    expect(markdown).toContain("Opaque");
    expect(markdown).toContain("Signed words");
  },
);
