import { expect, test } from "vitest";
import { toFileName, toPortableFileName } from "./file-name.ts";

test.each([
  ["report.pdf", "report.pdf"],
  ["../../etc/passwd", "passwd"],
  ["C:\\Users\\me\\a b.txt", "a b.txt"],
  ["inv\u202eoice\u0000.pdf", "invoice.pdf"],
  ["👩\u200d👩.png", "👩\u200d👩.png"],
  [".env", ".env"],
  ["..", "file"],
  ["folder/", "file"],
  ["\ud800a.txt", "a.txt"],
  [`${"x".repeat(300)}.docx`, `${"x".repeat(195)}.docx`],
])("the uploaded file %j is named %j", (path, name) => {
  expect(toFileName(path)).toBe(name);
});

test.each([
  ["Q1/Q2: plan?", "Q1 Q2 plan"],
  ["..hidden..", "hidden"],
  ["a\r\nb", "a b"],
  ["", "untitled"],
])("a file with the title %j is named %j", (title, name) => {
  expect(toPortableFileName(title)).toBe(name);
});
