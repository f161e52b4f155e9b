import { expect, test } from "vitest";
import { buildZip, relationships } from "./build-zip.test-support.ts";
import { fileToMarkdown } from "./file-to-markdown.ts";

const read = (bytes: Buffer, options = {}) =>
  fileToMarkdown(bytes, { fileName: "upload", options });

const line = (text: string, properties = "") =>
  `<a:p>${properties}<a:r><a:t>${text}</a:t></a:r></a:p>`;
const shape = (y: number, placeholder: string, lines: string) =>
  `<p:sp><p:nvSpPr><p:cNvPr id="1" name="x"/><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr><p:spPr><a:xfrm><a:off x="0" y="${y}"/></a:xfrm></p:spPr><p:txBody>${lines}</p:txBody></p:sp>`;
const slide = (shapes: string) =>
  `<p:sld><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`;
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

test("reads a presentation: a slide a page, its title first, lists, tables, pictures and notes", async () => {
  const table = `<p:graphicFrame><p:xfrm><a:off x="0" y="9000000"/></p:xfrm><a:graphic><a:graphicData><a:tbl><a:tr><a:tc gridSpan="2"><a:txBody>${line("Both")}</a:txBody></a:tc><a:tc hMerge="1"/></a:tr><a:tr><a:tc><a:txBody>${line("1")}</a:txBody></a:tc><a:tc><a:txBody>${line("2")}</a:txBody></a:tc></a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
  const picture = `<p:pic><p:nvPicPr><p:cNvPr id="9" name="p" descr="A duck"/></p:nvPicPr><p:blipFill><a:blip r:embed="rId3"/></p:blipFill><p:spPr><a:xfrm><a:off x="0" y="9900000"/></a:xfrm></p:spPr></p:pic>`;
  const file = await read(
    buildZip({
      "_rels/.rels": relationships({ rId1: ["officeDocument", "ppt/presentation.xml"] }),
      "ppt/presentation.xml":
        '<p:presentation><p:sldIdLst><p:sldId id="256" r:id="rId2"/><p:sldId id="257" r:id="rId1"/></p:sldIdLst></p:presentation>',
      "ppt/_rels/presentation.xml.rels": relationships({
        rId1: ["slide", "slides/slide2.xml"],
        rId2: ["slide", "/ppt/slides/slide1.xml"],
      }),
      "ppt/slides/slide1.xml": slide(
        table +
          shape(
            5_000_000,
            "",
            line("one", '<a:pPr><a:buChar char="•"/></a:pPr>') +
              line("inner", '<a:pPr lvl="1"><a:buAutoNum type="arabicPeriod"/></a:pPr>'),
          ) +
          shape(6_000_000, '<p:ph type="sldNum"/>', line("7")) +
          picture +
          shape(8_000_000, '<p:ph type="title"/>', line("Welcome")),
      ),
      "ppt/slides/_rels/slide1.xml.rels": relationships({
        rId2: ["notesSlide", "../notesSlides/n1.xml"],
        rId3: ["image", "../media/duck.png"],
      }),
      "ppt/notesSlides/n1.xml": slide(shape(0, '<p:ph type="body"/>', line("Say hello"))),
      "ppt/slides/slide2.xml": slide(shape(0, "", line("Second slide"))),
      "ppt/media/duck.png": PIXEL,
    }),
    { extractImages: true },
  );
  expect(file.markdown).toBe(
    "# Welcome\n\n- one\n  1. inner\n\n| Both | Both |\n| --- | --- |\n| 1 | 2 |\n\n![A duck](duck.png)\n\n**Notes:** Say hello\n\f\nSecond slide",
  );
  expect(file.images).toMatchObject([
    { page: 1, name: "duck.png", mimeType: "image/png", caption: "A duck" },
  ]);
  expect(file.pageQuality).toMatchObject([{ images: 1 }, { images: 0 }]);
});

const workbook = (sheets: Record<string, string>, rest: Record<string, string> = {}) => {
  const names = Object.keys(sheets);
  return buildZip({
    "xl/workbook.xml": `<workbook><sheets>${names.map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}" ${name === "Secret" ? 'state="hidden"' : ""}/>`).join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relationships({
      ...Object.fromEntries(
        names.map((_, index) => [
          `rId${index + 1}`,
          ["worksheet", `worksheets/s${index}.xml`] as [string, string],
        ]),
      ),
      s: ["styles", "styles.xml"],
      t: ["sharedStrings", "sharedStrings.xml"],
    }),
    ...Object.fromEntries(
      names.map((name, index) => [
        `xl/worksheets/s${index}.xml`,
        `<worksheet>${sheets[name]}</worksheet>`,
      ]),
    ),
    ...rest,
  });
};

test("reads a workbook: a sheet a page, formatted numbers, hidden sheets named", async () => {
  const cells = `<sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>When</t></is></c><c r="C1" t="str"><v>Share</v></c></row>
    <row r="2"><c r="A2"><v>0.30000000000000004</v></c><c r="B2" s="1"><v>45292</v></c><c r="C2" s="2"><v>0.125</v></c></row>
    <row r="5"><c r="A5" t="b"><v>1</v></c><c r="B5" s="3"><v>45292.75</v></c></row></sheetData>`;
  const file = await read(
    workbook(
      {
        Data: cells,
        Secret: "<sheetData/>",
        Other: "<sheetData><row><c><v>1</v></c></row></sheetData>",
      },
      {
        "xl/sharedStrings.xml":
          "<sst><si><r><t>Na</t></r><r><t>me</t></r><rPh><t>ignored</t></rPh></si></sst>",
        "xl/styles.xml":
          '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy hh:mm"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="10"/><xf numFmtId="164"/></cellXfs></styleSheet>',
      },
    ),
  );
  expect(file.markdown).toBe(
    "## Data\n\n| Name | When | Share |\n| --- | --- | --- |\n| 0.3 | 2024-01-01 | 12.5% |\n\n| TRUE | 2024-01-01 18:00:00 |\n| --- | --- |\n\f\n## Other\n\n1",
  );
  expect(file.warnings).toEqual(['The sheet "Secret" is hidden and was left out.']);
});

test("reads two cells at opposite ends of a sheet as two cells", async () => {
  const file = await read(
    workbook({
      S: '<sheetData><row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row></sheetData>',
    }),
  );
  expect(file.markdown).toBe("## S\n\n1\n\n2");
});

test("shows formulas without a stored result as formulas, and says so", async () => {
  const file = await read(
    workbook({
      S: '<sheetData><row r="1"><c r="A1"><f>B2*3</f></c><c r="B1"><v>7</v></c><c r="C1" t="str"><f>""</f><v></v></c></row></sheetData>',
    }),
  );
  expect(file.markdown).toContain("`=B2*3`");
  expect(file.markdown).not.toContain('""');
  expect(file.warnings.join()).toContain("formulas without a stored result (1)");
});

test("keeps exponents of rich texts, shared or in their cell", async () => {
  const runs =
    '<r><t>10</t></r><r><rPr><vertAlign val="superscript"/></rPr><t>6</t></r><r><t> units</t></r>';
  const file = await read(
    workbook(
      {
        S: `<sheetData><row><c t="s"><v>0</v></c><c t="inlineStr"><is>${runs}</is></c></row></sheetData>`,
      },
      { "xl/sharedStrings.xml": `<sst><si>${runs}</si></sst>` },
    ),
  );
  expect(file.markdown).toContain("| 10⁶ units | 10⁶ units |");
});

test("shows numbers of OpenDocument sheets with what their display adds", async () => {
  const cell = (value: string, shown: string) =>
    `<table:table-cell office:value-type="float" office:value="${value}"><text:p>${shown}</text:p></table:table-cell>`;
  const file = await read(
    odt(
      `<table:table table:name="S"><table:table-row>${cell("501", "00501")}${cell("1.5", "1,5")}${cell("100000", "1E+05")}${cell("3", "3 kg")}</table:table-row></table:table>`,
      "spreadsheet",
    ),
  );
  expect(file.markdown).toContain("| 00501 | 1.5 | 100000 | 3 kg |");
});

const odt = (body: string, kind = "text") =>
  buildZip({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    "content.xml": `<office:document-content><office:automatic-styles><style:style style:name="B" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style><style:style style:name="P" style:family="paragraph"><style:paragraph-properties fo:break-before="page"/></style:style><text:list-style style:name="N"><text:list-level-style-number text:level="1" style:num-format="1"/></text:list-style></office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    "meta.xml":
      "<office:document-meta><office:meta><dc:title>T</dc:title></office:meta></office:document-meta>",
  });

test("reads OpenDocument texts: headings, lists, notes, links, tables, pages", async () => {
  const file = await read(
    odt(`<text:h text:outline-level="2">Head</text:h><text:p>A <text:span text:style-name="B">bold</text:span><text:s text:c="2"/>word<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>proof</text:p></text:note-body></text:note></text:p>
    <text:list text:style-name="N"><text:list-item><text:p>one</text:p><text:list><text:list-item><text:p>in</text:p></text:list-item></text:list></text:list-item><text:list-item><text:p>two</text:p></text:list-item></text:list>
    <text:p text:style-name="P"><text:a xlink:href="https://a.b">link</text:a></text:p>
    <table:table><table:table-row><table:table-cell table:number-columns-spanned="2"><text:p>x</text:p></table:table-cell><table:covered-table-cell/></table:table-row><table:table-row><table:table-cell><text:p>1</text:p></table:table-cell><table:table-cell><text:p>2</text:p></table:table-cell></table:table-row></table:table>`),
  );
  expect(file).toMatchObject({ title: "T", pages: 1, layout: { kind: "none" } });
  expect(file.markdown).toBe(
    "## Head\n\nA **bold** word[^1]\n\n1. one\n   - in\n2. two\n\n[^1]: proof\n\n[link](https://a.b)\n\n| x | x |\n| --- | --- |\n| 1 | 2 |",
  );
});

test("reads OpenDocument headings that are known by the name of their style alone", async () => {
  const file = await read(
    buildZip({
      mimetype: "application/vnd.oasis.opendocument.text",
      "styles.xml": `<office:document-styles><office:styles><style:style style:name="Heading_20_2" style:display-name="Heading 2" style:family="paragraph"/></office:styles></office:document-styles>`,
      "content.xml": `<office:document-content><office:automatic-styles><style:style style:name="P1" style:family="paragraph" style:parent-style-name="Heading_20_2"/></office:automatic-styles><office:body><office:text><text:p text:style-name="P1">Head</text:p><text:p>Text</text:p></office:text></office:body></office:document-content>`,
    }),
  );
  expect(file.markdown).toBe("## Head\n\nText");
});

test("reads OpenDocument sheets with repeated rows and cells", async () => {
  const row =
    '<table:table-row><table:table-cell office:value-type="float" office:value="1.5"><text:p>1,5</text:p></table:table-cell><table:table-cell table:number-columns-repeated="16383"/></table:table-row>';
  const file = await read(
    odt(
      `<table:table table:name="S">${row}${row}<table:table-row table:number-rows-repeated="1048574"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table>`,
      "spreadsheet",
    ),
  );
  expect(file.markdown).toBe("## S\n\n| 1.5 |\n| --- |\n| 1.5 |");
});

test("says which row of its sheet each line is, also after gaps and between text", async () => {
  const cell = (text: string) =>
    `<table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell>`;
  const row = (...texts: string[]) =>
    `<table:table-row>${texts.map(cell).join("")}</table:table-row>`;
  const gap = (rows: number) =>
    `<table:table-row table:number-rows-repeated="${rows}"><table:table-cell/></table:table-row>`;
  const sheet = (name: string, rows: string) =>
    `<table:table table:name="${name}">${rows}</table:table>`;
  const { markdown, layout } = await read(
    odt(
      sheet("Tea", row("Title") + gap(2) + row("a", "b") + row("c", "d") + row("e", "f")) +
        sheet("Coffee", gap(9) + row("g", "h") + row("i", "j")),
      "spreadsheet",
    ),
  );
  expect(markdown).toBe(
    "## Tea\n\nTitle\n\n| a | b |\n| --- | --- |\n| c | d |\n| e | f |\n\f\n" +
      "## Coffee\n\n| g | h |\n| --- | --- |\n| i | j |",
  );
  expect(layout).toEqual({
    kind: "sheets",
    parts: 2,
    names: ["Tea", "Coffee"],
    lines: [
      [1, 2, 1],
      [1, 3, 0],
      [1, 4, 4],
      [1, 5, 0],
      [1, 6, 5],
      [1, 8, 0],
      [2, 3, 10],
      [2, 4, 0],
      [2, 5, 11],
      [2, 6, 0],
    ],
  });
});

test("numbers the rows of a table of values as a spreadsheet would", async () => {
  const csv = 'name,price\n\ntea,1\n"coffee\nblack",2\n';
  const { layout } = await fileToMarkdown(Buffer.from(csv), { fileName: "a.csv" });
  expect(layout).toEqual({
    kind: "sheets",
    parts: 1,
    lines: [
      [1, 0, 1],
      [1, 1, 0],
      [1, 2, 3],
      [1, 4, 0],
    ],
  });
});

test("reads a book: a chapter a page, without its table of contents and repetitions", async () => {
  const chapter = (text: string) =>
    `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body><a id="x"/><h1>${text}</h1><p>It is <i>late</i>.&nbsp;<img src="../i/a%20b.png" alt="Map"/></p></body></html>`;
  const file = await read(
    buildZip({
      mimetype: "application/epub+zip",
      "META-INF/container.xml":
        '<container><rootfiles><rootfile full-path="O/book.opf"/></rootfiles></container>',
      "O/book.opf": `<package><metadata><dc:title>Night</dc:title><dc:creator>Ada</dc:creator><dc:language>en-GB</dc:language></metadata><manifest><item id="n" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/><item id="a" href="t/1.xhtml" media-type="application/xhtml+xml"/><item id="b" href="t/2.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="n"/>${'<itemref idref="b"/>'.repeat(50)}<itemref idref="a"/></spine></package>`,
      "O/nav.xhtml":
        '<html><body><nav epub:type="toc"><ol><li><a href="t/1.xhtml#x">The last one</a></li><li><a href="t/2.xhtml">Not as in its text</a></li></ol></nav></body></html>',
      "O/t/1.xhtml": chapter("Last").replace(/h1/g, "p"),
      "O/t/2.xhtml": chapter("First"),
      "O/i/a b.png": PIXEL,
    }),
  );
  expect(file).toMatchObject({ title: "Night", author: "Ada", language: "en", pages: 2 });
  expect(file.layout).toEqual({
    kind: "chapters",
    parts: 2,
    names: ["First", "The last one"],
  });
  expect(file.markdown).toBe(
    "# First\n\nIt is *late*. ![Map](a_b.png)\n\f\nLast\n\nIt is *late*. ![Map](a_b.png)",
  );
});

test("reads rich text: code pages, Unicode, lists, links, tables, notes, pages", async () => {
  const rtf = String.raw`{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0 Arial;}{\f1\fcharset204 Cyr;}}{\stylesheet{\s1 heading 1;}{\s2\outlinelevel1 Own;}}{\info{\title Paper}}{\header Letterhead}
\pard\s1 Stra\'dfe\par\pard\s2 Second\par\pard {\b bold} {\f1 \'cf\'f0}\u8364?\~{\v hidden}{\*\unknown gone}{\footnote its proof}\par
{\listtext 1.\tab}\pard\ls1\li360 one\par{\listtext \bullet\tab}\pard\ls2\li720 in\par\pard
{\field{\*\fldinst HYPERLINK "https://a.b"}{\fldrslt link}}\par
\trowd\clmgf\cellx100\clmrg\cellx200\pard\intbl x\cell\cell\row\trowd\cellx100\cellx200\pard\intbl 1\cell 2\cell\row\pard\page after\par`;
  const file = await fileToMarkdown(Buffer.from(rtf, "latin1"), { fileName: "a.doc" });
  expect(file).toMatchObject({ title: "Paper", pages: 1, layout: { kind: "none" } });
  expect(file.markdown).toBe(
    "Letterhead\n\n# Straße\n\n## Second\n\n**bold** Пр€ [^1]\n\n1. one\n   - in\n\n[link](https://a.b)\n\n| x | x |\n| --- | --- |\n| 1 | 2 |\n\n[^1]: its proof\n\nafter",
  );
});

test.each([
  ["CR and LF", "\r\n"],
  ["LF", "\n"],
  ["CR alone", "\r"],
])(
  "reads e-mail whose lines end by %s: encoded headers, HTML, attachments, nested messages",
  async (_, end) => {
    const mail = [
      "From: =?utf-8?Q?J=C3=B6rg?= <j@a.b>",
      "To: b@c.d",
      "Subject: =?iso-8859-1?B?R3L832U=?= =?utf-8?Q?_an_alle?=",
      'Content-Type: multipart/mixed; boundary="x"',
      "",
      "--x",
      "Content-Type: multipart/alternative; boundary=y",
      "",
      "--y",
      "Content-Type: text/plain",
      "",
      "plain",
      "--y",
      "Content-Type: text/html; charset=iso-8859-1",
      "Content-Transfer-Encoding: quoted-printable",
      "",
      "<p>Sch=F6n, <b>d=",
      "a</b></p>",
      "--y--",
      "--x",
      "Content-Type: application/pdf",
      "Content-Disposition: attachment; filename*=utf-8''Pl%C3%A4ne.pdf",
      "Content-Transfer-Encoding: base64",
      "",
      "AAAA",
      "--x",
      "Content-Type: message/rfc822",
      "",
      "Subject: Inner",
      "",
      "> quoted",
      "reply",
      "--x--",
    ].join(end);
    const file = await fileToMarkdown(Buffer.from(mail), { fileName: "mail.eml" });
    expect(file.title).toBe("Grüße an alle");
    expect(file.markdown).toBe(
      "# Grüße an alle\n\n**From:** Jörg \\<j@a.b>  \n**To:** b@c.d\n\nSchön, **da**\n\n**Attachments:**\n\n- Pläne.pdf\n\n## Inner\n\n> quoted\n\nreply",
    );
    expect(file.attachments).toEqual([
      { name: "Pläne.pdf", bytes: Buffer.from("AAAA", "base64") },
    ]);
  },
);
