import { expect, test } from "vitest";
import { countCharacters } from "../count-characters.ts";
import { canRead, fileToMarkdown } from "./file-to-markdown.ts";

const read = async (text: string | Buffer, fileName: string) =>
  (await fileToMarkdown(Buffer.from(text), { fileName })).markdown;

test("reads the visible text of a page, without scripts and hidden text", async () => {
  const html = `<!doctype html><html lang="de"><head><title>Titel</title><style>p{}</style></head><body><h2>Über <em>uns</em></h2>
    <p>Mehr <a href="/x?a=1&amp;b=2">hier</a>&nbsp;und <code>a*b</code>.<script>alert(1)</script><span style="display: none">obey me</span></p>
    <ul><li>eins<ol start=3><li>drei<li>vier</ol><li>zwei</ul><pre><code class="language-js">let a = "\`";</code></pre>
    <blockquote>Wort</blockquote><img src="data:image/png;base64,AA" alt="Logo"></body></html>`;
  expect(await fileToMarkdown(Buffer.from(html), { fileName: "a.txt" })).toMatchObject({
    title: "Titel",
    language: "de",
    pages: 1,
    markdown:
      '## Über *uns*\n\nMehr [hier](/x?a=1&b=2) und `a*b`.\n\n- eins\n  3. drei\n  4. vier\n- zwei\n\n```js\nlet a = "`";\n```\n\n> Wort\n\n![Logo](image)',
  });
});

test("reads data tables as tables and tables that lay out a page as text", async () => {
  const data =
    "<table><tr><th>a<th colspan=2>b<tr><td rowspan=2>1<td>2<td>3<tr><td>4<td>5</table>";
  expect(await read(data, "a.html")).toBe(
    "| a | b | b |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n| 1 | 4 | 5 |",
  );
  expect(
    await read("<table><tr><td><h1>News</h1><p>Text</td></tr></table>", "a.html"),
  ).toBe("# News\n\nText");
});

test.each([
  ['a,b\n1,"x, ""y""\nz"', '| a | b |\n| --- | --- |\n| 1 | x, "y"<br>z |'],
  ["a;b\n1,5;2", "| a | b |\n| --- | --- |\n| 1,5 | 2 |"],
  ["a\tb\n1\t2", "| a | b |\n| --- | --- |\n| 1 | 2 |"],
  [
    "Sales of 2024\n\nid,amount\n1,2\n3,4",
    "Sales of 2024\n\n| id | amount |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |",
  ],
  [
    "Sales\nin EUR\nid;name;amount\n1;a;2\n",
    "Sales\n\nin EUR\n\n| id | name | amount |\n| --- | --- | --- |\n| 1 | a | 2 |",
  ],
  ["name\nAda\n\nBob", "| name |\n| --- |\n| Ada |\n| Bob |"],
  ["name\nAda,5\nBob,6", "| name |  |\n| --- | --- |\n| Ada | 5 |\n| Bob | 6 |"],
  ['size\n5" pipe', '| size |\n| --- |\n| 5" pipe |'],
  [
    'name,size\n"never closed,1\nx,2',
    '| name | size |\n| --- | --- |\n| "never closed | 1 |\n| x | 2 |',
  ],
])("reads separated values %j", async (csv, table) => {
  expect(await read(csv, "a.csv")).toBe(table);
});

test("leaves out empty rows and columns of CSV files, and escapes Markdown", async () => {
  expect(await read("a,,b\n,,\n*x*,,snake_case|y\n", "a.csv")).toBe(
    "| a | b |\n| --- | --- |\n| \\*x\\* | snake_case\\|y |",
  );
  const { tables } = await fileToMarkdown(Buffer.from("a,,b\n1,,2"), {
    fileName: "a.csv",
    options: { extractTables: true },
  });
  expect(tables).toEqual([
    {
      page: 1,
      rows: [
        ["a", "b"],
        ["1", "2"],
      ],
    },
  ]);
});

test("reads a header and 500,000 rows, and refuses a table of more with the reason", async () => {
  const rows = (count: number) => "1,2\n".repeat(count);
  // beside the header, the line below it
  expect((await read(rows(500_001), "a.csv")).split("\n")).toHaveLength(500_002);
  await expect(read(rows(500_002), "a.csv")).rejects.toMatchObject({
    code: "too_complex",
    message: expect.stringContaining("500000 rows"),
  });
});

test.each([
  [
    "a.vtt",
    "WEBVTT - Talk\n\nSTYLE\n::cue { color: red }\n\nNOTE a note\n\nintro\n00:01.000 --> 00:04.000 align:start\n<v.loud Ada>Good <i>morning</i>,\nall.\n\n00:00:05.000 --> 00:00:06.000\n<v Ada>Welcome.\n\n00:07.000 --> 00:08.000\n<v Bob>Thanks: 3 --> 4.\n",
    "Ada: Good morning, all.\n\nWelcome.\n\nBob: Thanks: 3 --> 4.",
  ],
  [
    "a.srt",
    "1\r\n00:00:01,000 --> 00:00:04,000\r\nGood morning.\r\n\r\n2\r\n00:00:05,000 --> 00:00:06,000\r\nWelcome.\r\n",
    "Good morning.\n\nWelcome.",
  ],
  [
    "untimed.vtt",
    "WEBVTT\n\nNOTE a note\n\n<v Ada>Good morning,\nall.\n\nWelcome.\n",
    "Ada: Good morning, all.\n\nWelcome.",
  ],
  [
    "untimed.srt",
    "1\nGood morning.\n\n2\n2024\nWelcome.\n",
    "Good morning.\n\n2024 Welcome.",
  ],
])(
  "reads what is spoken in the subtitles %s, without time codes",
  async (name, text, spoken) => {
    expect(await read(text, name)).toBe(spoken);
  },
);

test("counts the visible characters of a page", () => {
  expect(countCharacters("a b\n\u00a0\u3000c ![a tree](long-name.png)")).toBe(8);
});

test("keeps markdown as it is, its form feeds as pages, its front matter as title", async () => {
  const file = await fileToMarkdown(
    Buffer.from('---\ntitle: "Notes"\n---\n# One\r\n\f# *Two*\n'),
    {
      fileName: "a.md",
    },
  );
  expect(file).toMatchObject({
    pages: 2,
    title: "Notes",
    markdown: '---\ntitle: "Notes"\n---\n# One\n\f# *Two*',
  });
});

test("puts JSON and XML into fences", async () => {
  expect(await read('{"a": 1}', "a.json")).toBe('```json\n{"a": 1}\n```');
  expect(await read("<?xml version='1.0'?><a>```</a>", "a.xml")).toContain("<a>```</a>");
});

test("writes formulas as LaTeX", async () => {
  const row =
    "<mfrac><mi>a</mi><msup><mi>b</mi><mn>2</mn></msup></mfrac><mo>&le;</mo><msqrt><mi>π</mi></msqrt>";
  expect(await read(`<p>So <math><mrow>${row}</mrow></math> holds.</p>`, "a.html")).toBe(
    "So $\\frac{a}{b^{2}}\\leq \\sqrt{\\pi }$ holds.",
  );
  const own =
    '<math display="block"><semantics><mi>x</mi><annotation encoding="application/x-tex">x_1</annotation></semantics></math>';
  expect(await read(`<p>${own}</p>`, "a.html")).toBe("$$x_1$$");
});

test("reads feeds entry by entry", async () => {
  const feed = `<?xml version="1.0"?><rss><channel><title>News</title><item><title>Snow</title><link>https://a.b/1</link><pubDate>Mon</pubDate><description>&lt;p&gt;It &lt;b&gt;fell&lt;/b&gt;.&lt;/p&gt;</description></item></channel></rss>`;
  expect(await read(feed, "a.rss")).toBe(
    "# News\n\n## [Snow](https://a.b/1)\n\n*Mon*\n\nIt **fell**.",
  );
});

test("reads AsciiDoc", async () => {
  expect(
    await read(
      "= Title\n\n* one\n** two\n\n|===\n|a |b\n\n|1 |2\n|===\n\n----\ncode\n----",
      "a.adoc",
    ),
  ).toBe(
    "# Title\n\n- one\n    - two\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n```\ncode\n```",
  );
});

test("names what it cannot read", async () => {
  await expect(read(Buffer.from([0, 1, 2, 3, 0, 255]), "a.bin")).rejects.toMatchObject({
    code: "file_type_not_supported",
  });
  expect(canRead("application/pdf", "a.pdf")).toBe(false);
  expect(canRead("", "a.docx")).toBe(true);
  expect(canRead("text/plain", "notes")).toBe(true);
});

test.each([
  ["deep", "<div>".repeat(200_000) + "text"],
  ["never closed", "<table>" + "<tr><td>x".repeat(50_000)],
  ["closed too often", "<b>".repeat(50_000) + "text" + "</i></p></table>".repeat(50_000)],
  [
    "wide",
    "<table>" + "<tr><td colspan=99999 rowspan=99999>x<td>text".repeat(2_000) + "</table>",
  ],
  ["comments", "<!--".repeat(100_000) + "-->text"],
  ["attributes", `<p ${"a=1 ".repeat(200_000)}>text`],
])(
  "reads HTML that is %s, or refuses it, in bounded time",
  { timeout: 90_000 },
  async (_, html) => {
    const result = await fileToMarkdown(Buffer.from(html), { fileName: "a.html" }).catch(
      (error: unknown) => error,
    );
    if (result instanceof Error) expect(result).toMatchObject({ code: "too_complex" });
    else expect(result).toMatchObject({ markdown: expect.stringMatching(/text|x/) });
  },
);

test("stops when its signal aborts", async () => {
  await expect(
    fileToMarkdown(Buffer.from("x"), { signal: AbortSignal.abort() }),
  ).rejects.toThrow(/abort/i);
});

test("shows what stands in the fields of a form", async () => {
  const form = `<p>Name: <input value="Ada Lovelace"> <input type=hidden value=token></p>
    <p>Plan: <select><option>Basic<option selected>Gold</select></p>
    <p>Country: <select><option>Austria<option>Belgium</select></p>
    <p><input type=checkbox checked> Agreed</p><p><input type=radio> By post</p>
    <p><textarea>In the morning</textarea><input type=submit value=Send></p>`;
  expect(await read(form, "a.html")).toBe(
    "Name: Ada Lovelace\n\nPlan: Gold\n\nCountry: Austria\n\n☒ Agreed\n\n☐ By post\n\nIn the morning",
  );
});

test("keeps a term and what is said of it in one paragraph", async () => {
  const list =
    "<dl><dt>Rate<dd>4.5 %<dt>Fees<dd><p>None.</p><p>Since May.</p><dd>Or later</dl>";
  expect(await read(list, "a.html")).toBe(
    "Rate  \n4.5 %\n\nFees  \nNone.\n\nSince May.\n\nOr later",
  );
});

test("reads escaped signs of subtitles", async () => {
  const subtitles = "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ada>Fish &amp; chips &lt;3";
  expect(await read(subtitles, "a.vtt")).toBe("Ada: Fish & chips <3");
});

test("keeps the space before a soft line break of a mail, and none that was added behind it", async () => {
  const mail = (text: string) =>
    `Subject: A\r\nContent-Type: text/plain\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${text}`;
  expect(await read(mail("Price 50 =\r\nnow, to=  \r\ngether ="), "a.eml")).toBe(
    "# A\n\nPrice 50 now, together",
  );
});
