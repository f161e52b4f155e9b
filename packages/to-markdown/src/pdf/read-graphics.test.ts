import { expect, test } from "vitest";
import { openPdf } from "./open-pdf.ts";
import { loadPdfium } from "./pdfium.ts";
import { createFontStyles } from "./read-fonts.ts";
import { readPage } from "./read-page.ts";

/** The lines and backgrounds of a page of 300 by 200 points, whose y in the test grows upwards. */
async function drawingsOf(content: string) {
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> /Shading << /S << /ShadingType 2 /ColorSpace /DeviceRGB /Coords [0 0 300 0] /Function << /FunctionType 2 /Domain [0 1] /C0 [0 0 1] /C1 [1 0 0] /N 1 >> >> >> >> >>",
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
  ];
  const body = objects.map((text, at) => `${at + 1} 0 obj\n${text}\nendobj`).join("\n");
  const bytes = new TextEncoder().encode(
    `%PDF-1.7\n${body}\ntrailer << /Root 1 0 R /Size 5 >>\n%%EOF`,
  );
  const pdfium = await loadPdfium();
  const document = openPdf(pdfium, bytes);
  try {
    const page = readPage(pdfium, document, 0, createFontStyles(pdfium));
    const { rules = [], fills = [], glyphs = [] } = page ?? {};
    return {
      text: glyphs.map(({ text }) => text).join(""),
      rules: rules
        .map(({ horizontal, at, from, to }) =>
          [horizontal ? "level" : "upright", ...[at, from, to].map(Math.round)].join(" "),
        )
        .toSorted(),
      fills: fills.map(({ left, top, right, bottom, colour }) =>
        [...[left, top, right, bottom].map(Math.round), colour.toString(16)].join(" "),
      ),
    };
  } finally {
    document.close();
  }
}

const picture = (width: number, height: number, x: number, y: number) =>
  `q ${width} 0 0 ${height} ${x} ${y} cm BI /W 1 /H 1 /BPC 8 /CS /G ID \x20 EI Q`;

test("pictures of one pixel, drawn long and thin, are lines", async () => {
  const { rules } = await drawingsOf(
    [picture(200, 0.6, 20, 150), picture(0.6, 90, 120, 60), picture(8, 0.6, 20, 20)].join(
      "\n",
    ),
  );
  expect(rules).toEqual(["level 50 20 220", "upright 120 50 140"]);
});

test("strips of one picture are no lines", async () => {
  const strips = [150, 148, 147.4, 130].map((y, at, all) =>
    picture(200, (all[at - 1] ?? 160) - y, 20, y),
  );
  expect((await drawingsOf(strips.join("\n"))).rules).toEqual([]);
});

const INSIDE = "20 99.8 200 0.4 re f 119.8 50 0.4 100 re f";
const FRAME = [
  "level 150 20 220",
  "level 50 20 220",
  "upright 20 50 150",
  "upright 220 50 150",
];
const ACROSS = ["level 100 20 220", "upright 120 50 150"];
const OUTLINE =
  "20 50 m 20 150 l 220 150 l 220 50 l 20 50 l 20.7 50.7 l 219.3 50.7 l 219.3 149.3 l 20.7 149.3 l 20.7 50.7 l h f";

test.each([
  ["one outline that goes around and back", OUTLINE],
  ["a rectangle in a rectangle", "20 50 200 100 re 20.7 50.7 198.6 98.6 re f*"],
  ["two rectangles of opposite directions", "20 50 200 100 re 219.3 50.7 -198.6 98.6 re f"],
])("a frame that is filled as %s is its four lines", async (_, frame) => {
  const { rules, fills } = await drawingsOf(`${frame} ${INSIDE}`);
  expect(rules).toEqual([...ACROSS, ...FRAME].toSorted());
  expect(fills).toEqual([]);
});

test("a box of a flow chart, which no lines part, adds no lines to those between boxes", async () => {
  const { rules } = await drawingsOf(
    `${OUTLINE} 119.8 0 0.4 50 re f 119.8 150 0.4 50 re f`,
  );
  expect(rules).toEqual(["upright 120 0 50", "upright 120 150 200"]);
});

test("two rectangles of one direction are both filled", async () => {
  const { fills } = await drawingsOf("0 0 1 rg 20 50 200 100 re 20.7 50.7 198.6 98.6 re f");
  expect(fills).toHaveLength(2);
});

test("a line that is as thick as a row is the background of the row", async () => {
  const { rules, fills } = await drawingsOf("1 0 0 RG 12 w 20 100 m 220 100 l S");
  expect(rules).toEqual([]);
  expect(fills).toEqual(["20 94 220 106 ff0000"]);
});

test("a thick line is a line", async () => {
  const { rules, fills } = await drawingsOf("1 0 0 RG 4 w 20 100 m 220 100 l S");
  expect(rules).toEqual(["level 100 20 220"]);
  expect(fills).toEqual([]);
});

/** A box with round corners above, such as the head of a table. */
const HEAD =
  "0 0 1 rg 20 100 m 220 100 l 220 115 l 220 118 218 120 215 120 c 25 120 l 22 120 20 118 20 115 c h f";

test("a background with round corners is one where a row of a table goes on from it", async () => {
  const { fills } = await drawingsOf(`${HEAD} 0.5 w 20 100 m 220 100 l S`);
  expect(fills).toEqual(["20 80 220 100 ff"]);
  expect((await drawingsOf(HEAD)).fills).toEqual([]);
});

test("the frame with round corners around the lines of a table is its four lines", async () => {
  const frame =
    "25 50 m 215 50 l 218 50 220 52 220 55 c 220 145 l 220 148 218 150 215 150 c 25 150 l 22 150 20 148 20 145 c 20 55 l 20 52 22 50 25 50 c h S";
  expect((await drawingsOf(`${frame} ${INSIDE}`)).rules).toEqual(
    [...ACROSS, ...FRAME].toSorted(),
  );
  expect((await drawingsOf(frame)).rules).toEqual([]);
});

test("an edge of many short pieces is one edge", async () => {
  const pieces = Array.from({ length: 100 }, (_, at) => `${22 + at * 2} 100 l`).join(" ");
  const { rules } = await drawingsOf(`20 100 m ${pieces} 220 40 l S`);
  expect(rules).toEqual(["level 100 20 220", "upright 220 100 160"]);
});

test("lines beside each other in one path stay apart, and dashes are one line", async () => {
  const apart = await drawingsOf("20 100 m 100 100 l 120 100 m 220 100 l S");
  expect(apart.rules).toEqual(["level 100 120 220", "level 100 20 100"]);
  for (const gap of [2, 9]) {
    const at = Array.from({ length: 10 }, (_, dash) => 20 + dash * (2 + gap));
    const dashes = at.map((x) => `${x} 100 m ${x + 2} 100 l`).join(" ");
    const end = (at.at(-1) ?? 0) + 3;
    expect((await drawingsOf(`${dashes} S`)).rules).toEqual([`level 100 19 ${end}`]);
  }
});

const WHITE_TEXT = "1 g BT /F 10 Tf 30 97 Td (Name) Tj ET";

test.each([
  ["a shading", "q 20 90 200 20 re W n /S sh Q"],
  ["a thick line", "0 0 1 RG 20 w 20 100 m 220 100 l S"],
])("white text on %s is seen", async (_, ground) => {
  expect((await drawingsOf(`${ground} ${WHITE_TEXT}`)).text).toBe("Name");
  expect((await drawingsOf(WHITE_TEXT)).text).toBe("");
});
