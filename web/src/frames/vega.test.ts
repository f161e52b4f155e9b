import { expect, test } from "vitest";
import { toSvg } from "./vega.ts";
import { wrapText } from "./chart-layout.ts";

const barsOf = (names: readonly string[], more: object = {}) =>
  JSON.stringify({
    data: { values: names.map((name, at) => ({ name, sold: at + 1 })) },
    mark: "bar",
    encoding: {
      x: { field: "name", type: "nominal", ...more },
      y: { field: "sold", type: "quantitative" },
    },
  });
const LONG = [
  "Department of harbour and coastal affairs",
  "Office of the pilots and the tides",
  "Ferries",
];

/** The lines of each label below the bars. */
function labelsOf(svg: string): string[][] {
  const axis = svg.slice(svg.indexOf('aria-label="X-axis'));
  const labels = axis.slice(
    axis.indexOf("role-axis-label"),
    axis.indexOf("role-axis-domain"),
  );
  return [...labels.matchAll(/<text[^>]*>(.*?)<\/text>/gs)].map(([, text = ""]) =>
    text.includes("<tspan")
      ? [...text.matchAll(/<tspan[^>]*>([^<]*)/g)].map(([, line = ""]) => line)
      : [text],
  );
}

test("labels below bars stand upright, in two lines, and say where they go on", async () => {
  const svg = await toSvg(barsOf(LONG), false, 390);
  expect(svg).not.toContain("rotate(");
  const labels = labelsOf(svg);
  expect(labels.map((lines) => lines.length)).toEqual([2, 1, 2]);
  expect(labels[0]?.[0]).toMatch(/^Department/);
  expect(labels[0]?.[1]).toMatch(/…$/);
  expect(labels[1]).toEqual(["Ferries"]);
});

test("labels of many bars lie over none of the others", async () => {
  const names = Array.from({ length: 60 }, (_, at) => `Week ${at + 1}`);
  const shown = labelsOf(await toSvg(barsOf(names), true, 390));
  expect(shown.length).toBeLessThanOrEqual(60);
  const svg = await toSvg(barsOf(names), true, 390);
  const hidden = svg.match(/opacity="0"/g)?.length ?? 0;
  expect(hidden).toBeGreaterThan(40);
});

test("what a chart says of its labels itself stays", async () => {
  const svg = await toSvg(barsOf(LONG, { axis: { labelAngle: -45 } }), false, 700);
  expect(svg).toMatch(/rotate\((?:-45|315)\)/);
});

test("a title begins at the left edge of the chart, not over its bars", async () => {
  const chart = JSON.parse(barsOf(LONG)) as object;
  const svg = await toSvg(JSON.stringify({ ...chart, title: "Tickets" }), false, 390);
  const title = svg.slice(svg.indexOf("role-title-text"));
  expect(title).toMatch(/^[^<]*<text text-anchor="start"/);
});

test("a long title takes more lines", () => {
  expect(wrapText("Sold", 300)).toBe("Sold");
  const lines = wrapText(
    "Tickets that were sold at each of the quays in the year 2025",
    300,
  );
  expect(lines.length).toBe(2);
  expect([lines].flat().join(" ")).toContain("quays in the year 2025");
});
