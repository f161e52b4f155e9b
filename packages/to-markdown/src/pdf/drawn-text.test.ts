import PDFDocument from "pdfkit";
import { expect, test } from "vitest";
import { pdfToMarkdown } from "./pdf-to-markdown.ts";

function aPdf(draw: (document: PDFKit.PDFDocument) => void): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const document = new PDFDocument({ size: "A4", margin: 60 });
    const parts: Uint8Array[] = [];
    document.on("data", (part: Uint8Array) => parts.push(part));
    document.on("end", () => resolve(new Uint8Array(Buffer.concat(parts))));
    document.on("error", reject);
    document.font("Helvetica").fontSize(11);
    draw(document);
    document.end();
  });
}

/**
 * A PDF of one page with one font. It has no cross-reference table: readers find its objects by
 * scanning.
 */
function aPdfOf(content: string, font: string, unicode: string): Uint8Array {
  const stream = (text: string) =>
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>",
    stream(content),
    font,
    stream(
      `/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <00> <FF> endcodespacerange ${unicode} endcmap end end`,
    ),
    stream("500 0 0 0 500 700 d1 0 0 500 700 re f"),
  ];
  const body = objects.map((text, at) => `${at + 1} 0 obj\n${text}\nendobj`).join("\n");
  return new TextEncoder().encode(
    `%PDF-1.7\n${body}\ntrailer << /Root 1 0 R /Size 8 >>\n%%EOF`,
  );
}
const HELVETICA = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>";
const SHOWN = "BT /F 12 Tf 20 100 Td (ABC) Tj ET";

test("characters beyond U+FFFF are read", async () => {
  const unicode = "3 beginbfchar <41> <D842DFB7> <42> <91CE> <43> <D83DDE00> endbfchar";
  const { markdown } = await pdfToMarkdown(aPdfOf(SHOWN, HELVETICA, unicode));
  expect(markdown).toBe("𠮷野😀");
});

test("letters of a negative size that the matrix turns back are upright", async () => {
  const unicode = "3 beginbfchar <41> <0041> <42> <0042> <43> <0043> endbfchar";
  const shown = "BT /F -12 Tf -1 0 0 -1 20 100 Tm (ABC) Tj ET";
  const { markdown } = await pdfToMarkdown(aPdfOf(shown, HELVETICA, unicode));
  expect(markdown).toBe("ABC");
});

test("Cyrillic whose table of characters holds UTF-8 is no Korean", async () => {
  const unicode = "3 beginbfchar <41> <D094> <42> <D0B0> <43> <D182> endbfchar";
  const { markdown } = await pdfToMarkdown(aPdfOf(SHOWN, HELVETICA, unicode));
  expect(markdown).toBe("Дат");
  const korean = "3 beginbfchar <41> <D0A4> <42> <D0B9> <43> <AC00> endbfchar";
  const other = await pdfToMarkdown(aPdfOf(SHOWN, HELVETICA, korean));
  expect(other.markdown).toBe("키킹가");
});

test("both letters of a ligature are kept where they are the same", async () => {
  const unicode = "3 beginbfchar <41> <006F> <42> <00660066> <43> <0065> endbfchar";
  const { markdown } = await pdfToMarkdown(aPdfOf(SHOWN, HELVETICA, unicode));
  expect(markdown).toBe("offe");
});

test("a font that calls itself one of fixed pitch is that of code only if its letters are as wide", async () => {
  const widths = (i: number) =>
    Array.from({ length: 26 }, (_, at) => (at === 8 ? i : 600)).join(" ");
  const font = (i: number) =>
    `<< /Type /Font /Subtype /TrueType /BaseFont /Plain /FirstChar 97 /LastChar 122 /Widths [${widths(i)}] /FontDescriptor << /Type /FontDescriptor /FontName /Plain /Flags 33 /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 /FontBBox [0 -200 600 800] >> >>`;
  const shown = "BT /F 12 Tf 20 100 Td (simon) Tj ET";
  expect((await pdfToMarkdown(aPdfOf(shown, font(600), ""))).markdown).toBe("`simon`");
  expect((await pdfToMarkdown(aPdfOf(shown, font(230), ""))).markdown).toBe("simon");
});

test("text of a Type 3 font, whose characters are drawings, is read", async () => {
  const font =
    "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 500 700] /FontMatrix [0.001 0 0 0.001 0 0] /CharProcs << /a 7 0 R >> /Encoding << /Differences [65 /a /a /a] >> /FirstChar 65 /LastChar 67 /Widths [500 500 500] /ToUnicode 6 0 R >>";
  const unicode = "3 beginbfchar <41> <0059> <42> <0065> <43> <0073> endbfchar";
  const { markdown } = await pdfToMarkdown(aPdfOf(SHOWN, font, unicode));
  expect(markdown).toBe("Yes");
});

test("the value of a form field stands beside its name", async () => {
  const bytes = await aPdf((document) => {
    document.initForm();
    document.text("Name:", 60, 100);
    document.formText("name", 120, 96, 200, 18, { value: "Ada Lovelace" });
  });
  const { markdown } = await pdfToMarkdown(bytes);
  expect(markdown.replace(/\s+/g, " ")).toBe("Name: Ada Lovelace");
});

/** A PDF of one page with labels, at the left, and fields beside them. */
function aForm(lines: readonly { label: string; field: string }[]): Uint8Array {
  const at = (line: number) => 700 - 30 * line;
  const shown = lines.map(
    ({ label }, line) => `BT /F 11 Tf 60 ${at(line)} Td (${label}) Tj ET`,
  );
  const content = shown.join("\n");
  const drawing = "<< /Type /XObject /Subtype /Form /BBox [0 0 15 15] /Length 0 >>";
  const fields = lines.map(({ field }, line) => {
    const box = `[130 ${at(line) - 5} 300 ${at(line) + 12}]`;
    return `<< /Type /Annot /Subtype /Widget /F 4 /P 3 0 R /DA (/Helv 10 Tf) /Rect ${box} ${field} >>`;
  });
  const refs = fields.map((_, field) => `${field + 8} 0 R`).join(" ");
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [${refs} 7 0 R] >> >>`,
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Annots [${refs}] /Resources << /Font << /F 5 0 R >> >> >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    `${drawing}\nstream\n\nendstream`,
    "<< /FT /Tx /T (inherited) /V (of the parent) /Kids [] >>",
    ...fields,
  ];
  const body = objects.map((text, n) => `${n + 1} 0 obj\n${text}\nendobj`).join("\n");
  return new TextEncoder().encode(
    `%PDF-1.7\n${body}\ntrailer << /Root 1 0 R /Size ${objects.length + 1} >>\n%%EOF`,
  );
}

test("fields of every kind stand beside their labels, boxes with their state", async () => {
  const box = "/FT /Btn /AP << /N << /Yes 6 0 R /Off 6 0 R >> >>";
  const radio = `${box} /Ff 32768`;
  const { markdown } = await pdfToMarkdown(
    aForm([
      { label: "Name", field: "/FT /Tx /T (a) /V (Jane Filled)" },
      {
        label: "Country",
        field: "/FT /Ch /Ff 131072 /T (b) /Opt [[(no) (Norway)] [(se) (Sweden)]] /V (se)",
      },
      { label: "Agreed", field: `${box} /T (c) /V /Yes /AS /Yes` },
      { label: "Paid", field: `${box} /T (d) /AS /Off` },
      { label: "Adult", field: `${radio} /T (e) /V /Yes /AS /Yes` },
      { label: "Secret", field: "/FT /Tx /Ff 8192 /T (f) /V (sesame)" },
      { label: "Drawn", field: "/FT /Tx /T (g) /V (a value) /AP << /N 6 0 R >>" },
      { label: "Parent", field: "/Parent 7 0 R" },
    ]),
  );
  expect(markdown.split("\n\n")).toEqual([
    "Name Jane Filled",
    "Country Sweden",
    "Agreed ☑",
    "Paid ☐",
    "Adult ☑",
    "Secret",
    "Drawn a value",
    "Parent of the parent",
  ]);
});

test.each([18, 30, 40])("labels and values %s points apart stay together", async (step) => {
  const lines = [
    ["Name:", "Ada Lovelace"],
    ["Contract no.:", "4711-B"],
    ["Start:", "1 May 2024"],
    ["Place of work:", "London"],
  ];
  const bytes = await aPdf((document) => {
    for (const [at, [label = "", value = ""]] of lines.entries()) {
      document.text(label, 60, 100 + at * step, { lineBreak: false });
      document.text(value, 200, 100 + at * step, { lineBreak: false });
    }
  });
  const { markdown } = await pdfToMarkdown(bytes);
  for (const [label = "", value = ""] of lines)
    expect(markdown.replaceAll("|", " ").replace(/ +/g, " ")).toContain(
      `${label} ${value}`,
    );
});

test("the value of a field is read where the file leaves its drawing to the reader", async () => {
  const bytes = await aPdf((document) => {
    document.initForm();
    document.text("Name:", 60, 100);
    document.formText("name", 120, 96, 200, 18, { value: "Ada Lovelace" });
  });
  const file = Buffer.from(bytes).toString("latin1");
  const emptied = (look: string) => file.replace(/\/DA \(/, `/AP << /N ${look} >>\n/DA (`);
  const look = `${file.match(/(\d+) 0 obj\n<<\n\/Type \/Catalog/)?.[1] ?? "1"} 0 R`;
  expect(emptied(look)).not.toBe(file);
  const { markdown } = await pdfToMarkdown(Buffer.from(emptied(look), "latin1"));
  expect(markdown.replace(/\s+/g, " ")).toBe("Name: Ada Lovelace");
});

test("free text that someone wrote onto a page is read, and links of the page stay links", async () => {
  const bytes = await aPdf((document) => {
    document.text("See the site", 60, 100, { link: "https://example.com/" });
    const note: object = {
      Subtype: "FreeText",
      Contents: new String("Please sign here"),
      DA: new String("/Helv 11 Tf 0 g"),
    };
    document.annotate(60, 200, 200, 20, note);
  });
  const { markdown } = await pdfToMarkdown(bytes);
  expect(markdown).toBe("[See the site](https://example.com/)\n\nPlease sign here");
});

test("text in another direction is read after the lines of its page", async () => {
  const bytes = await aPdf((document) => {
    document.text("The figure shows the yield of three summers.", 60, 300);
    document.rotate(-90, { origin: [100, 200] });
    document.text("Tonnes per hectare", 100, 200);
    document.rotate(45, { origin: [100, 200] });
    document.text("Northern valley", 300, 260);
  });
  const { markdown, pageQuality } = await pdfToMarkdown(bytes);
  expect(markdown).toBe(
    "The figure shows the yield of three summers.\n\nTonnes per hectare\n\nNorthern valley",
  );
  expect(pageQuality).toEqual([{ page: 1, characters: 67, images: 0 }]);
});

test("a watermark on every page is left out, as running heads are", async () => {
  const bytes = await aPdf((document) => {
    for (const page of [1, 2]) {
      if (page === 2) document.addPage();
      document.text(`The text of sheet ${page}.`, 60, 300);
      document.rotate(-50, { origin: [300, 400] }).text("DRAFT", 300, 400);
    }
  });
  expect((await pdfToMarkdown(bytes)).markdown).toBe(
    "The text of sheet 1.\fThe text of sheet 2.",
  );
});

const LETTERS = "The mill stood still for so long that nobody spoke of it";
const SHOWN_LETTERS = `BT /F 12 Tf 20 100 Td (${LETTERS}) Tj ET`;

test("characters of private codes are reported as unreadable, with their page", async () => {
  const unicode = "1 beginbfrange <21> <7E> <E021> endbfrange";
  const { warnings, pageQuality } = await pdfToMarkdown(
    aPdfOf(SHOWN_LETTERS, HELVETICA, unicode),
  );
  expect(warnings[0]).toMatch(/^45 of 45 characters on page 1 cannot be read/);
  expect(pageQuality).toEqual([{ page: 1, characters: 0, images: 0, unread: 45 }]);
});

test("a font that gives one letter for all that it draws is reported as unreadable", async () => {
  const unicode = `94 beginbfchar ${Array.from({ length: 94 }, (_, at) => `<${(at + 33).toString(16)}> <0041>`).join(" ")} endbfchar`;
  const { warnings } = await pdfToMarkdown(aPdfOf(SHOWN_LETTERS, HELVETICA, unicode));
  expect(warnings[0]).toMatch(/^45 of 45 characters on page 1 cannot be read/);
});

test("characters whose font names no letters are reported, and read by their codes", async () => {
  const font =
    "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 600 700] /FontMatrix [.001 0 0 .001 0 0] /CharProcs << /g1 7 0 R >> /Encoding << /Differences [65 /g1 /g1 /g1] >> /FirstChar 65 /LastChar 67 /Widths [600 600 600] >>";
  const shown = "BT /F 12 Tf 20 100 Td (ABCABCABC) Tj ET";
  const { markdown, warnings, pageQuality } = await pdfToMarkdown(aPdfOf(shown, font, ""));
  expect(markdown.replaceAll(" ", "")).toBe("ABCABCABC");
  expect(warnings[0]).toMatch(/^9 of 9 characters on page 1 cannot be read/);
  expect(pageQuality).toEqual([{ page: 1, characters: 0, images: 0, unread: 9 }]);
});

test("a letter that reaches over the next one leaves the space behind it wide", async () => {
  const bytes = await aPdf((document) => {
    document.font("Times-Italic").fontSize(12);
    let x = 60;
    for (const word of ["after", "half", "of", "how", "life"]) {
      document.text(word, x, 100);
      x += document.widthOfString(word) + 2.4;
    }
  });
  expect((await pdfToMarkdown(bytes)).markdown).toBe("*after half of how life*");
});

test("accents that are drawn over letters by themselves belong to the letters", async () => {
  const bytes = await aPdf((document) => {
    document.text("Jimenez", 60, 100);
    const before = document.widthOfString("Jim");
    const aside = document.widthOfString("e") - document.widthOfString("´");
    document.text("´", 60 + before + aside / 2, 100);
  });
  expect((await pdfToMarkdown(bytes)).markdown).toBe("Jiménez");
});

test("a font may have any scale, as long as its characters are large enough to be seen", async () => {
  const font =
    "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 50 70] /FontMatrix [1 0 0 1 0 0] /CharProcs << /a 7 0 R >> /Encoding << /Differences [65 /a /a /a] >> /FirstChar 65 /LastChar 67 /Widths [50 50 50] /ToUnicode 6 0 R >>";
  const unicode = "3 beginbfchar <41> <0059> <42> <0065> <43> <0073> endbfchar";
  const shown = "BT /F 0.2 Tf 20 100 Td (ABC) Tj ET";
  const { markdown } = await pdfToMarkdown(aPdfOf(shown, font, unicode));
  expect(markdown.replaceAll(" ", "")).toBe("Yes");
});

test("letters of a ligature whose bytes are swapped are no Chinese", async () => {
  const unicode = "3 beginbfchar <41> <006F> <42> <66006900> <43> <006E> endbfchar";
  const { markdown } = await pdfToMarkdown(aPdfOf(SHOWN, HELVETICA, unicode));
  expect(markdown).toBe("ofin");
  const chinese = "3 beginbfchar <41> <6600> <42> <6900> <43> <4E00> endbfchar";
  const other = await pdfToMarkdown(aPdfOf(SHOWN, HELVETICA, chinese));
  expect(other.markdown).toBe("昀椀一");
});

test("lam with alef of which each letter has lost a byte is read as both", async () => {
  const unicode = "3 beginbfchar <41> <0646> <42> <4423> <43> <0645> endbfchar";
  const { markdown } = await pdfToMarkdown(aPdfOf(SHOWN, HELVETICA, unicode));
  expect(markdown).toContain("لأ");
  expect(markdown).not.toContain("\u4423");
});

test("a fraction stands in its line, with its numerator and a plain slash", async () => {
  const bytes = await aPdf((document) => {
    const y = 100;
    document.text("Sizes range up to ", 60, y);
    let x = 60 + document.widthOfString("Sizes range up to ");
    document.fontSize(6).text("1", x, y);
    x += document.widthOfString("1");
    document.fontSize(11).text("/", x, y);
    x += document.widthOfString("/");
    document.fontSize(6).text("4", x, y + 4.5);
    document.fontSize(11).text("inch for all the bolts.", x + 8, y);
  });
  expect((await pdfToMarkdown(bytes)).markdown).toBe(
    "Sizes range up to 1/4 inch for all the bolts.",
  );
});

test("indexes, exponents above them and fractions stand in their line", async () => {
  const bytes = await aPdf((document) => {
    const y = 100;
    let x = 60;
    const put = (text: string, size: number, down: number, width = 0) => {
      document.fontSize(size).text(text, x, y + down, { lineBreak: false });
      x += width || document.widthOfString(text);
    };
    put("Where the area x", 11, 0);
    put("2", 7, -1, 0.01);
    put("i", 7, 7, 5);
    put(" = y + ", 11, 0);
    put("m", 7, -2);
    document.font("Times-Roman");
    put("+k", 7, -2, 0.01);
    document.font("Helvetica");
    x -= 3;
    put("n", 7, 7, 14);
    put("is larger than of all the others, and the line is long,", 11, 0);
    document.fontSize(11).text("the next line of this text goes on below it.", 60, y + 13);
  });
  expect((await pdfToMarkdown(bytes)).markdown).toBe(
    "Where the area x2 i = y + m+k n is larger than of all the others, and the line is long, the next line of this text goes on below it.",
  );
});

test("the sign of a root stands in its line, whatever height it hangs from", async () => {
  const unicode = "3 beginbfchar <41> <0078> <42> <221A> <43> <0079> endbfchar";
  const shown = "BT /F 12 Tf 20 100 Td (AAAA) Tj 34 9 Td (B) Tj 10 -9 Td (CCCC) Tj ET";
  const { markdown } = await pdfToMarkdown(aPdfOf(shown, HELVETICA, unicode));
  expect(markdown).toBe("xxxx √ yyyy");
});

test("the mark of a note stands in the first line of the note", async () => {
  const bytes = await aPdf((document) => {
    document.text("The text to which a note belongs is here.", 60, 100);
    document.fontSize(6).text("1", 60, 700, { lineBreak: false });
    document.fontSize(10).text("The note is longer than one line of the", 66, 701);
    document.text("page on which it is.", 60, 714);
    document.fontSize(6).text("2", 60, 730, { lineBreak: false });
    document.fontSize(10).text("Nearer", 63.4, 731);
  });
  const { markdown } = await pdfToMarkdown(bytes);
  expect(markdown).toContain("\n2 Nearer");
  expect(markdown).toContain(
    "1 The note is longer than one line of the page on which it is.",
  );
});

test.each([2, 3, 6])("letters %s points apart are words", async (characterSpacing) => {
  const bytes = await aPdf((document) => {
    document.fontSize(16).text("CORNELL UNIVERSITY", 60, 100, { characterSpacing });
    document.fontSize(11).text("The text below it is set as usual.", 60, 200);
  });
  expect((await pdfToMarkdown(bytes)).markdown).toContain("CORNELL UNIVERSITY");
});

test("single letters of a row or of a sentence are no letter-spaced word", async () => {
  const bytes = await aPdf((document) => {
    for (const [at, letter] of [..."ABIDE"].entries())
      document.text(letter, 60 + at * 14, 100, { lineBreak: false });
    document.text("The sides a b c d e of it.", 60, 200);
  });
  const { markdown } = await pdfToMarkdown(bytes);
  expect(markdown.replace(/[|\s]+/g, " ")).toContain("A B I D E");
  expect(markdown).toContain("a b c d e");
});

test("an exponent of a number stays one", async () => {
  const bytes = await aPdf((document) => {
    document.text("About 10", 60, 100, { lineBreak: false });
    const x = 60 + document.widthOfString("About 10");
    document.fontSize(7).text("6", x, 98, { lineBreak: false });
    document.fontSize(11).text("units were sold.", x + 8, 100);
  });
  expect((await pdfToMarkdown(bytes)).markdown).toBe("About 10⁶ units were sold.");
});

/** A page with text on the layer 5, whose state is in the catalog, and a drawing on it. */
function ofLayers(state: string, properties: string, content: string): Uint8Array {
  const stream = (text: string, entries = "") =>
    `<< /Length ${text.length} ${entries}>>\nstream\n${text}\nendstream`;
  const font = "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>";
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [5 0 R 7 0 R] /D << ${state} >> >> >>`,
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R /Resources << /Properties << ${properties} >> /XObject << /X 6 0 R >> ${font} >> >>`,
    stream(content),
    "<< /Type /OCG /Name (Notes) >>",
    stream(
      "BT /F 12 Tf 20 40 Td (In a drawing.) Tj ET",
      `/Type /XObject /Subtype /Form /BBox [0 0 300 200] /OC 5 0 R /Resources << ${font} >> `,
    ),
    "<< /Type /OCG /Name (Plan) >>",
  ];
  const body = objects.map((text, at) => `${at + 1} 0 obj\n${text}\nendobj`).join("\n");
  return new TextEncoder().encode(
    `%PDF-1.7\n${body}\ntrailer << /Root 1 0 R /Size 8 >>\n%%EOF`,
  );
}
const LAYERED =
  "BT /F 12 Tf 20 120 Td (Shown.) Tj ET /OC /L BDC BT /F 12 Tf 20 100 Td (On a layer.) Tj ET EMC " +
  "/OC /P BDC BT /F 12 Tf 20 80 Td (On the plan.) Tj ET EMC /X Do";

test.each([
  ["a group", "/L 5 0 R /P 7 0 R"],
  [
    "a rule about groups",
    "/L << /Type /OCMD /OCGs 5 0 R >> /P << /Type /OCMD /OCGs 7 0 R >>",
  ],
])(
  "text on layers that are off is left out, by %s, and no other",
  async (_, properties) => {
    const read = async (state: string) => {
      const { markdown, warnings } = await pdfToMarkdown(
        ofLayers(state, properties, LAYERED),
      );
      return [markdown.replace(/\s+/g, " "), ...warnings];
    };
    expect(await read("")).toEqual(["Shown. On a layer. On the plan. In a drawing."]);
    expect(await read("/OFF [5 0 R]")).toEqual([
      "Shown. On the plan.",
      "Text that no reader sees was left out.",
    ]);
    expect((await read("/BaseState /OFF /ON [5 0 R]"))[0]).toBe(
      "Shown. On a layer. In a drawing.",
    );
  },
);

test("each title of a table of contents is a line of its own, with its points as one", async () => {
  const bytes = await aPdf((document) => {
    document.fontSize(16).text("Contents", 60, 60).fontSize(11);
    const entries = [
      ["Foreword to the new edition", "ix"],
      ["A fountain in the square", "1"],
      ["The lost homeland of the weavers", "13"],
    ] as const;
    for (const [at, [title, page]] of entries.entries()) {
      const points = " .".repeat(50 - title.length);
      document.text(`${title}${points} ${page}`, 60, 100 + at * 15, { lineBreak: false });
    }
    document.text("An ellipsis . . . in a sentence stays one.", 60, 180);
  });
  const { markdown } = await pdfToMarkdown(bytes);
  const lines = markdown.split("\n").filter(Boolean);
  expect(lines.map((line) => line.replace(/\.{4,}/, "…"))).toEqual([
    "# Contents",
    expect.stringMatching(/^Foreword to the new edition ?… ix$/),
    expect.stringMatching(/^A fountain in the square ?… 1$/),
    expect.stringMatching(/^The lost homeland of the weavers ?… 13$/),
    "An ellipsis ... in a sentence stays one.",
  ]);
});
