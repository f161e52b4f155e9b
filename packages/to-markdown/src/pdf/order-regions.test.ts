import { expect, test } from "vitest";
import { buildSegments } from "./build-segments.ts";
import { textOf } from "./layout.ts";
import { orderRegions } from "./order-regions.ts";
import { line } from "./place-text.test-support.ts";

/** Words in a type of 20 points. */
const large = (text: string, left: number, baseline: number) =>
  line(text, left, baseline).map((word) => ({
    ...word,
    top: baseline - 16,
    bottom: baseline + 4,
    size: 20,
  }));

test("the short last line of a title is no part of the columns below it", () => {
  const title = [
    ...large("A title that is as wide as both of the columns that stand below", 50, 60),
    ...large("and ends early", 50, 90),
  ];
  const columns = [150, 164, 178, 192].flatMap((baseline, at) => [
    ...line(`Left words of line ${at}`, 50, baseline),
    ...line(`Right words of line ${at}`, 260, baseline + 3),
  ]);
  const regions = orderRegions(buildSegments([...title, ...columns]), []);
  const texts = regions.map((region) =>
    "lines" in region ? region.lines.map(textOf) : [],
  );
  expect(texts[0]).toHaveLength(2);
  expect(texts[0]?.[1]).toBe("and ends early");
});

const textsOf = (words: ReturnType<typeof line>) =>
  orderRegions(buildSegments(words), []).map((region) =>
    "lines" in region ? region.lines.map(textOf) : [],
  );

test("a name with a larger line below it is read before the one beside it, as on a slide", () => {
  const card = (name: string, text: string, left: number) => [
    ...line(name, left, 100),
    ...large(text, left, 130),
  ];
  const slide = [
    ...card("Purpose", "Useful tools", 50),
    ...card("Mission", "For all", 250),
  ];
  expect(textsOf(slide)).toEqual([
    ["Purpose", "Useful tools"],
    ["Mission", "For all"],
  ]);
});

test("lines that begin below the others are in no column beside them", () => {
  const head = ["Company", "Notes to statements", "Continued"].flatMap((text, at) =>
    line(text, 250, 100 + at * 14),
  );
  const left = [
    ...line("Contents", 50, 100),
    ...line("Recent standards", 50, 170),
    ...line("Adopted standards", 50, 190),
    ...line("Others", 50, 210),
  ];
  expect(textsOf([...head, ...left]).flat()).toEqual([
    "Contents Company",
    "Notes to statements",
    "Continued",
    "Recent standards",
    "Adopted standards",
    "Others",
  ]);
});
