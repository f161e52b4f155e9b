import { expect, test } from "vitest";
import { CitationReader } from "./cite-files.ts";

const a = { file_id: "file-a", filename: "a.txt" };

function readAll(pieces: readonly string[]) {
  const reader = new CitationReader([a]);
  return [...pieces.flatMap((piece) => reader.read(piece)), reader.end()].filter(
    (piece) => piece !== "",
  );
}

test("takes marks out of a text, wherever it is divided", () => {
  const text = "One 【1】, two【1†source】.";
  for (let at = 0; at <= text.length; at += 1) {
    const pieces = readAll([text.slice(0, at), text.slice(at)]);
    expect(pieces.filter((piece) => typeof piece === "string").join("")).toBe("One, two.");
    expect(pieces.filter((piece) => piece === a)).toHaveLength(2);
  }
});

test("leaves out a mark of no passage, and keeps what is no mark", () => {
  expect(readAll(["x【2】y"]).join("")).toBe("xy");
  expect(readAll(["x【note】 y", "【1"]).join("")).toBe("x【note】 y【1");
});
