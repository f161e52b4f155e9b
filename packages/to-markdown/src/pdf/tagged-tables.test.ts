import { expect, test } from "vitest";
import { pdfToMarkdown } from "./pdf-to-markdown.ts";

/** Text at a place of the page, measured from the left and from below. */
interface Shown {
  text: string;
  x: number;
  y: number;
  font?: "F" | "B" | "I";
}
/** An element of a tagged file. */
interface Element {
  type: string;
  attributes?: string;
  kids: (Element | Shown)[];
}

const element = (type: string, kids: Element["kids"], attributes?: string): Element => ({
  type,
  kids,
  ...(attributes !== undefined && { attributes }),
});
const shown = (text: string, x: number, y: number): Shown => ({ text, x, y });
const td = (text: string, x: number, y: number, attributes?: string) =>
  element("TD", [shown(text, x, y)], attributes);
const th = (text: string, x: number, y: number) => element("TH", [shown(text, x, y)]);
const draw = ({ text, x, y, font = "F" }: Shown): string =>
  `BT /${font} 10 Tf ${x} ${y} Td (${text}) Tj ET`;

interface Sheet {
  tagged: Element[];
  /** Text without a tag. */
  bare?: Shown[];
}

/**
 * A tagged PDF with one page per sheet. It has no cross-reference table: readers find its objects
 * by scanning.
 */
function aTaggedPdf(sheets: readonly Sheet[]): Uint8Array {
  const objects: string[] = [];
  const add = (text: string) => objects.push(text);
  add(
    "<< /Type /Catalog /Pages 2 0 R /StructTreeRoot 3 0 R /MarkInfo << /Marked true >> >>",
  );
  for (const place of ["pages", "tree", "parents"]) add(place);
  add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>");
  add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >>");
  add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Oblique >>");
  const pages: string[] = [];
  const tops: string[] = [];
  const owners: string[] = [];
  for (const [index, { tagged, bare = [] }] of sheets.entries()) {
    const content = bare.map((each) => `/Artifact BMC ${draw(each)} EMC`);
    const parents: string[] = [];
    const page = add("page");
    const put = (of: Element, parent: number): number => {
      const own = add("element");
      const kids = of.kids.map((kid) => {
        if ("kids" in kid) return `${put(kid, own)} 0 R`;
        content.push(`/${of.type} << /MCID ${parents.length} >> BDC ${draw(kid)} EMC`);
        return parents.push(`${own} 0 R`) - 1;
      });
      objects[own - 1] =
        `<< /Type /StructElem /S /${of.type} /P ${parent} 0 R /Pg ${page} 0 R ${of.attributes ? `/A << /O /Table ${of.attributes} >>` : ""} /K [${kids.join(" ")}] >>`;
      return own;
    };
    tops.push(...tagged.map((each) => `${put(each, 3)} 0 R`));
    const text = content.join("\n");
    const stream = add(`<< /Length ${text.length} >>\nstream\n${text}\nendstream`);
    objects[page - 1] =
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 500 700] /StructParents ${index} /Contents ${stream} 0 R /Resources << /Font << /F 5 0 R /B 6 0 R /I 7 0 R >> >> >>`;
    pages.push(`${page} 0 R`);
    owners.push(`${index} [${parents.join(" ")}]`);
  }
  objects[1] = `<< /Type /Pages /Kids [${pages.join(" ")}] /Count ${pages.length} >>`;
  objects[2] = `<< /Type /StructTreeRoot /K [${tops.join(" ")}] /ParentTree 4 0 R >>`;
  objects[3] = `<< /Nums [${owners.join(" ")}] >>`;
  const body = objects.map((text, at) => `${at + 1} 0 obj\n${text}\nendobj`).join("\n");
  return new TextEncoder().encode(
    `%PDF-1.7\n${body}\ntrailer << /Root 1 0 R /Size ${objects.length + 1} >>\n%%EOF`,
  );
}

async function read(...sheets: Sheet[]): Promise<string> {
  return (await pdfToMarkdown(aTaggedPdf(sheets))).markdown;
}
const row = (y: number, ...texts: string[]) =>
  element(
    "TR",
    texts.map((text, at) => td(text, 60 + at * 80, y)),
  );
const headRow = (y: number, ...texts: string[]) =>
  element(
    "TR",
    texts.map((text, at) => th(text, 60 + at * 80, y)),
  );

test("tags make a table where cells stand too close for columns", async () => {
  const close = (y: number, left: string, right: string) =>
    element("TR", [td(left, 60, y), td(right, 82, y)]);
  const markdown = await read({
    tagged: [element("Table", [close(600, "Town", "Since"), close(580, "Kiel", "1242")])],
  });
  expect(markdown).toBe("| Town | Since |\n| --- | --- |\n| Kiel | 1242 |");
});

test("cells that cover rows and columns leave the places of those they cover empty", async () => {
  const markdown = await read({
    tagged: [
      element("Table", [
        headRow(600, "North", "People", "Since"),
        element("TR", [
          td("Kiel", 60, 570, "/RowSpan 2"),
          td("247", 140, 580),
          td("1242", 220, 580),
        ]),
        element("TR", [td("248", 140, 560), td("1243", 220, 560)]),
        element("TR", [td("nothing known", 60, 540, "/ColSpan 2"), td("787", 220, 540)]),
      ]),
    ],
  });
  expect(markdown.split("\n").slice(2)).toEqual([
    "| Kiel | 247 | 1242 |",
    "|  | 248 | 1243 |",
    "| nothing known |  | 787 |",
  ]);
});

test("a cell after one that the tags leave out stands in the column that it stands under", async () => {
  const markdown = await read({
    tagged: [
      element("Table", [
        headRow(600, "Town", "People", "Since"),
        row(580, "Kiel", "247", "1242"),
        element("TR", [td("Bremen", 60, 560), td("787", 220, 560)]),
        element("TR", [td("570", 140, 540)]),
      ]),
    ],
  });
  expect(markdown.split("\n").slice(3)).toEqual(["| Bremen |  | 787 |", "|  | 570 |  |"]);
});

test("cells stand in the columns they stand under, though a wrong one is said to span rows", async () => {
  const markdown = await read({
    tagged: [
      element("Table", [
        headRow(600, "Town", "People", "What it has"),
        element("TR", [
          td("Kiel", 60, 580, "/RowSpan 2"),
          td("247", 140, 580),
          td("A harbour", 220, 570),
        ]),
        element("TR", [td("Bremen", 60, 560), td("570", 140, 560)]),
      ]),
    ],
  });
  expect(markdown.split("\n").slice(2)).toEqual([
    "| Kiel | 247 | A harbour |",
    "| Bremen | 570 |  |",
  ]);
});

test("a table that lays out the page is none", async () => {
  const prose = (x: number) =>
    Array.from({ length: 25 }, (_, at) =>
      shown("this is a line of prose", x, 640 - at * 12),
    );
  const markdown = await read({
    tagged: [
      element("Table", [
        element("TR", [element("TD", prose(40)), element("TD", prose(280))]),
        element("TR", [td("Left foot.", 40, 300), td("Right foot.", 280, 300)]),
      ]),
    ],
  });
  expect(markdown).not.toContain("| --- |");
  expect(markdown).toContain("this is a line of prose this is a line of prose");
});

test("a table that goes on in the next column of text has its place in the first", async () => {
  const prose = (name: string, x: number, y: number) =>
    element(
      "P",
      Array.from({ length: 8 }, (_, at) =>
        shown(`${name} has a line of text here`, x, y - at * 12),
      ),
    );
  const cells = (x: number, y: number, texts: string[]) =>
    element(
      "TR",
      texts.map((text, at) => td(text, x + at * 70, y)),
    );
  const markdown = await read({
    tagged: [
      prose("Kiel", 60, 600),
      element("Table", [
        cells(60, 480, ["Town", "People"]),
        cells(60, 460, ["Kiel", "247"]),
        cells(310, 600, ["Bonn", "330"]),
      ]),
      prose("Bonn", 310, 570),
    ],
  });
  const parts = markdown.split("\n\n");
  expect(parts[1]?.split("\n").slice(2)).toEqual(["| Kiel | 247 |", "| Bonn | 330 |"]);
  expect([parts[0], parts[2]].map((text) => text?.slice(0, 10))).toEqual([
    "Kiel has a",
    "Bonn has a",
  ]);
});

test("a table in a cell is text of that cell", async () => {
  const inner = element("Table", [
    element("TR", [td("old", 140, 580), td("new", 170, 580)]),
    element("TR", [td("1", 140, 566), td("2", 170, 566)]),
  ]);
  const markdown = await read({
    tagged: [
      element("Table", [
        headRow(600, "Town", "Towers"),
        element("TR", [td("Kiel", 60, 580), element("TD", [inner])]),
        row(540, "Bremen", "4"),
      ]),
    ],
  });
  expect(markdown).toBe(
    "| Town | Towers |\n| --- | --- |\n| Kiel | old new 1 2 |\n| Bremen | 4 |",
  );
});

test("a head that is repeated on the next page heads the rows there", async () => {
  const head = ["Town", "People", "Since"];
  const bold = head.map((text, at): Shown => ({
    text,
    x: 60 + at * 80,
    y: 660,
    font: "B",
  }));
  const markdown = await read(
    {
      tagged: [element("Table", [headRow(660, ...head), row(640, "Kiel", "247", "1242")])],
    },
    {
      tagged: [
        element("Table", [
          row(640, "Bremen", "570", "787"),
          row(620, "Stade", "48", "994"),
        ]),
      ],
      bare: bold,
    },
    {
      tagged: [
        element("Table", [row(640, "Celle", "70", "985"), row(620, "Peine", "50", "1130")]),
      ],
    },
  );
  const heading = "| Town | People | Since |\n| --- | --- | --- |";
  expect(markdown.split("\f")).toEqual([
    `${heading}\n| Kiel | 247 | 1242 |`,
    `${heading}\n| Bremen | 570 | 787 |\n| Stade | 48 | 994 |`,
    "| Celle | 70 | 985 |\n| --- | --- | --- |\n| Peine | 50 | 1130 |",
  ]);
});

test("text above a table that is not its head stays outside of it", async () => {
  const markdown = await read(
    {
      tagged: [element("Table", [headRow(600, "Town", "Since"), row(580, "Kiel", "1242")])],
    },
    {
      tagged: [
        element("P", [shown("Town of the north", 60, 620)]),
        element("Table", [row(600, "Stade", "994"), row(580, "Bremen", "787")]),
      ],
    },
  );
  expect(markdown.split("\f")[1]).toBe(
    "Town of the north\n\n| Stade | 994 |\n| --- | --- |\n| Bremen | 787 |",
  );
});

test("a short line in italics is a heading where a tagged file names no headings", async () => {
  const lines = (top: number) => [
    shown("The nut may be spun on and off by hand as its locking action takes", 50, top),
    shown("place only when it is seated against a solid surface.", 50, top - 13),
  ];
  const name: Shown = { ...shown("Self-locking nuts", 50, 660), font: "I" };
  const told = [element("P", [name]), element("P", lines(640))];
  const { markdown } = await pdfToMarkdown(aTaggedPdf([{ tagged: told }]));
  expect(markdown).toMatch(/^# Self-locking nuts\n/);
  const named = [element("H1", [shown("Nuts", 50, 680)]), ...told];
  const other = await pdfToMarkdown(aTaggedPdf([{ tagged: named }]));
  expect(other.markdown).toContain("*Self-locking nuts*");
});
