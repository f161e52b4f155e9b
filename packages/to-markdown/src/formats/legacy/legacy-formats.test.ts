import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { buildCompound } from "./build-compound.test-support.ts";
import { fileToMarkdown } from "../file-to-markdown.ts";

const fixture = (name: string) => readFile(new URL(`../fixtures/${name}`, import.meta.url));

test("reads Word's older documents: headings, emphasis, links, lists, tables", async () => {
  const { markdown } = await fileToMarkdown(await fixture("plan.doc"), {
    fileName: "plan.docx",
  });
  expect(markdown).toBe(
    "# Annual plan\n\nSome **bold** and *slanted* words, [a link](https://example.org/x).\n\n## Steps\n\n1. first\n2. second\n\n- point\n\n| Name | Grüße |\n| --- | --- |\n| 1 | 2 |\n\nEnd.",
  );
});

function record(type: number, ...parts: (number[] | Buffer)[]): Buffer {
  const data = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const head = Buffer.alloc(4);
  head.writeUInt16LE(type, 0);
  head.writeUInt16LE(data.length, 2);
  return Buffer.concat([head, data]);
}
const short = (...values: number[]) => Buffer.from(new Uint16Array(values).buffer);
const long = (value: number) => Buffer.from(new Uint32Array([value]).buffer);
const double = (value: number) => Buffer.from(new Float64Array([value]).buffer);

function workbook(): Buffer {
  // the shared text continues in another record, which states the character width again
  const strings = [
    record(0xfc, long(2), long(2), short(4), [0], Buffer.from("Na")),
    record(0x3c, [1], Buffer.from("mé", "utf16le"), short(5), [0], Buffer.from("Share")),
  ];
  const format = (id: number) => record(0xe0, short(0, id), Buffer.alloc(16));
  const globals = (sheetAt: number) =>
    Buffer.concat([
      record(0x809, short(0x600, 5)),
      format(0),
      format(14),
      format(10),
      record(0x85, long(sheetAt), [0, 0], [1, 0], Buffer.from("S")),
      ...strings,
      record(0x0a),
    ]);
  const sheet = [
    record(0x809, short(0x600, 0x10)),
    record(0xfd, short(0, 0, 0), long(0)),
    record(0xfd, short(0, 1, 0), long(1)),
    record(0x203, short(1, 0, 1), double(45_322)),
    record(
      0xbd,
      short(1, 1),
      short(2),
      long(0x3fc0_0000 & ~3),
      short(0),
      long((25 << 2) | 2),
      short(2),
    ),
    record(0x06, short(2, 0, 0), [0, 0, 0, 0, 0, 0, 0xff, 0xff]),
    record(0x207, short(3), [0], Buffer.from("sum")),
    record(0x205, short(2, 1, 0), [7, 1]),
    record(0x0a),
  ];
  return buildCompound({ Workbook: Buffer.concat([globals(globals(0).length), ...sheet]) });
}

test("reads Excel's older workbooks: texts over several records, dates, percentages, formulas, errors", async () => {
  const { markdown } = await fileToMarkdown(workbook());
  expect(markdown).toBe(
    "## S\n\n| Namé | Share |  |\n| --- | --- | --- |\n| 2024-01-31 | 12.5% | 25 |\n| sum | #DIV/0! |  |",
  );
});

test.each(["plan.doc", "people.xls", "slides.ppt"])(
  "ends with text or a reason wherever %s is cut or broken",
  { timeout: 60_000 },
  async (name) => {
    const whole =
      name === "plan.doc"
        ? await fixture(name)
        : name === "slides.ppt"
          ? presentation()
          : workbook();
    for (let step = 1; step < 40; step += 1) {
      const cut = whole.subarray(0, Math.floor((whole.length * step) / 40));
      const broken = Buffer.from(whole);
      broken.fill(
        0xff,
        Math.floor((whole.length * (step - 1)) / 40),
        Math.floor((whole.length * step) / 40),
      );
      for (const bytes of [cut, broken]) {
        const result = await fileToMarkdown(bytes, { fileName: name }).catch(
          (error: unknown) => error,
        );
        if (result instanceof Error)
          expect(result).toMatchObject({
            code: expect.stringMatching(
              /^(?:file_damaged|file_encrypted|too_complex|file_type_not_supported)$/,
            ),
          });
      }
    }
  },
);

test("reads Outlook's messages", async () => {
  const utf16 = (text: string) => Buffer.from(text, "utf16le");
  const message = buildCompound({
    "__substg1.0_0037001F": utf16("Lunch"),
    "__substg1.0_0C1A001F": utf16("Ada"),
    "__substg1.0_0E04001F": utf16("Bob"),
    "__substg1.0_1000001F": utf16("plain"),
    "__substg1.0_10130102": Buffer.from("<p>At <b>noon</b>?</p>"),
  });
  const { markdown, title } = await fileToMarkdown(message, { fileName: "a.eml" });
  expect(title).toBe("Lunch");
  expect(markdown).toBe("# Lunch\n\n**From:** Ada  \n**To:** Bob\n\nAt **noon**?");
});

function atom(type: number, data: Buffer, instance = 0, holds = false): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt16LE((instance << 4) | (holds ? 0xf : 0), 0);
  head.writeUInt16LE(type, 2);
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data]);
}
const holder = (type: number, parts: Buffer[], instance = 0) =>
  atom(type, Buffer.concat(parts), instance, true);

function presentation(): Buffer {
  const text = (kind: number, words: string) => [
    atom(0x0f9f, long(kind)),
    atom(0x0fa0, Buffer.from(words, "utf16le")),
  ];
  const document = holder(0x03e8, [
    holder(0x0ff0, [
      atom(0x03f3, long(2)),
      ...text(0, "Über uns"),
      ...text(1, "one\rtwo"),
      atom(0x03f3, long(3)),
    ]),
  ]);
  const box = (parts: Buffer[]) => holder(0x040c, [holder(0xf00d, parts)]);
  const cell = (place: number[], words: string) =>
    holder(0xf004, [
      atom(0xf00a, long(0), 1),
      atom(0xf00f, Buffer.concat(place.map(long))),
      ...(words === "" ? [] : [holder(0xf00d, text(4, words))]),
    ]);
  const border = holder(0xf004, [
    atom(0xf00a, long(0), 20),
    atom(0xf00f, Buffer.concat([0, 0, 0, 200].map(long))),
  ]);
  const isTable = Buffer.from([0x9f, 0x03, 1, 0, 0, 0]);
  const table = holder(0xf003, [
    holder(0xf004, [atom(0xf122, isTable, 1)]),
    cell([200, 51, 300, 100], "3.50"),
    cell([0, 0, 200, 50], "Fruit"),
    cell([200, 0, 300, 50], "Price"),
    cell([0, 50, 100, 100], "Apple"),
    cell([100, 50, 200, 100], "red\rsweet"),
    border,
    cell([0, 100, 100, 150], "Pear"),
    cell([100, 100, 200, 150], ""),
    cell([200, 100, 300, 150], "4.00"),
  ]);
  const slides = [
    holder(0x03ee, [box([atom(0x0f9e, long(1))]), box([atom(0x0f9e, long(0))])]),
    holder(0x03ee, [box(text(4, "second slide")), table]),
  ];
  const parts = [document, ...slides];
  const places = parts.map((_, index) =>
    parts.slice(0, index).reduce((sum, { length }) => sum + length, 0),
  );
  const directory = atom(0x1772, Buffer.concat([long((3 << 20) | 1), ...places.map(long)]));
  const body = Buffer.concat([...parts, directory]);
  const edit = atom(
    0x0ff5,
    Buffer.concat([
      long(0),
      long(0),
      long(0),
      long(body.length - directory.length),
      long(1),
    ]),
  );
  const user = atom(
    0x0ff6,
    Buffer.concat([long(0x14), long(0xe391c05f), long(body.length)]),
  );
  return buildCompound({
    "PowerPoint Document": Buffer.concat([body, edit]),
    "Current User": user,
  });
}

test("reads PowerPoint's older presentations: a slide a page, its title first, and tables", async () => {
  const { markdown, pages } = await fileToMarkdown(presentation());
  expect(pages).toBe(2);
  expect(markdown).toBe(
    "# Über uns\n\n- one\n- two\n\f\nsecond slide\n\n" +
      "| Fruit | Fruit | Price |\n| --- | --- | --- |\n" +
      "| Apple | red<br>sweet | 3.50 |\n| Pear |  | 4.00 |",
  );
});
