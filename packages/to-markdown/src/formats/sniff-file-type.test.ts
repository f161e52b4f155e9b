import { expect, test } from "vitest";
import { decodeText } from "./decode-text.ts";
import { sniffFileType } from "./sniff-file-type.ts";

const bytes = (text: string, encoding: BufferEncoding = "utf8") =>
  Buffer.from(text, encoding);

function aZip(parts: Record<string, string>): Buffer {
  const local = Object.entries(parts).map(([name, content]) => {
    const header = Buffer.alloc(30);
    header.write("PK\x03\x04", "latin1");
    header.writeUInt32LE(content.length, 18);
    header.writeUInt16LE(name.length, 26);
    return Buffer.concat([header, bytes(name + content)]);
  });
  return Buffer.concat(local);
}

test.each([
  ["%PDF-1.7\n", "a.docx", "pdf"],
  ["{\\rtf1 hello}", "a.doc", "rtf"],
  ["<!DOCTYPE html><p>x", "a.txt", "html"],
  ['<?xml version="1.0"?><html xmlns="x"><body/></html>', "a.xml", "html"],
  ['<?xml version="1.0"?><note/>', "a", "xml"],
  ["just words saved as docx", "report.docx", "text"],
  ["a,b\n1,2", "a.csv", "csv"],
  ["# Title", "README.md", "markdown"],
  ["no tags at all", "page.html", "text"],
  ["From: a@b.c\nTo: d@e.f\nSubject: Hi\n\nHello", "mail", "eml"],
  ['{"a":1}', "a.json", "json"],
] as const)("tells by the bytes %j named %s that it is %s", async (content, name, kind) => {
  expect((await sniffFileType(bytes(content), name)).kind).toBe(kind);
});

test("uses the claimed type for text whose name says nothing", async () => {
  expect(
    (await sniffFileType(bytes("a,b\n1,2"), "upload", "text/csv; charset=utf-8")).kind,
  ).toBe("csv");
});

test("recognizes Office files and books by their parts, also in a truncated archive", async () => {
  const kindOf = async (parts: Record<string, string>, name?: string) =>
    (await sniffFileType(aZip(parts), name)).kind;
  const word = { "[Content_Types].xml": "<Types/>", "word/document.xml": "<x/>" };
  expect(await kindOf(word, "a.xlsx")).toBe("docx");
  expect(await kindOf({ "xl/workbook.xml": "<x/>" })).toBe("xlsx");
  const book = { mimetype: "application/epub+zip", "OEBPS/a.xhtml": "x" };
  expect(await kindOf(book)).toBe("epub");
  const odt = { mimetype: "application/vnd.oasis.opendocument.text" };
  expect(await kindOf(odt, "a.docx")).toBe("odt");
  expect(await kindOf({ "photo.jpg": "x" }, "a.docx")).toBe("archive");
});

test("does not take binary data for text", async () => {
  expect(
    (await sniffFileType(Buffer.from([1, 2, 3, 0, 255, 4, 5, 6, 7]), "a.txt")).kind,
  ).toBe("unknown");
});

test.each([
  [
    "utf-8 with a mark",
    Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes("Straße")]),
    "Straße",
  ],
  [
    "utf-16le with a mark",
    Buffer.concat([Buffer.from([0xff, 0xfe]), bytes("Straße", "utf16le")]),
    "Straße",
  ],
  ["utf-16le without one", bytes("The street is long", "utf16le"), "The street is long"],
  [
    "Latin-1",
    bytes("Die Straße führt über die Brücke; “ja”".replace(/[“”]/g, '"'), "latin1"),
    'Die Straße führt über die Brücke; "ja"',
  ],
  [
    "Shift-JIS",
    Buffer.from("96bc914f2c944e97ee0a8db293a191be98592c33300a", "hex"),
    "名前,年齢\n佐藤太郎,30\n",
  ],
  [
    "Windows-1251",
    Buffer.from("cff0e8e2e5f22c20eae0ea20e4e5ebe0", "hex"),
    "Привет, как дела",
  ],
  [
    "Windows-1252 quotation marks",
    Buffer.from([0x93, 0x4a, 0x61, 0x94, 0x20, 0x66, 0xfc, 0x72]),
    "“Ja” für",
  ],
] as const)("decodes %s", async (_, encoded, text) => {
  expect(decodeText(encoded)).toBe(text);
  expect((await sniffFileType(encoded, "a.txt")).kind).toBe("text");
});

test.each([
  ["TIFF, little-endian", "II*\0\0\0\x02\0"],
  ["TIFF, big-endian", "MM\0*\0\x02\0\0"],
  ["BigTIFF, little-endian", "II+\0\x08\0\0\0\0\0\x02\0\0\0\0\0"],
  ["BigTIFF, big-endian", "MM\0+\0\x08\0\0\0\0\0\0\0\x02\0\0"],
])("knows %s by its mark when its directory lies beyond the sample", async (_, mark) => {
  const sample = Buffer.concat([bytes(mark, "latin1"), Buffer.alloc(70_000, 0x55)]);
  expect(await sniffFileType(sample, "scan")).toEqual({
    kind: "image",
    mimeType: "image/tiff",
  });
});
