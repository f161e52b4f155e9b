import { expect, test } from "vitest";
import { fileToMarkdown } from "../../file-to-markdown.ts";

const FONTS =
  "{\\fonttbl{\\f0 Arial;}{\\f1\\fcharset2 Symbol;}{\\f2\\fcharset2 Wingdings;}}";
const read = async (body: string) => {
  const file = Buffer.from(`{\\rtf1\\ansi${FONTS}${body}}`, "latin1");
  return (await fileToMarkdown(file, { fileName: "a.rtf" })).markdown;
};
const form = (data: string, result = "") =>
  `{\\field{\\*\\fldinst FORM {\\*\\formfield{${data}}}}{\\fldrslt ${result}}}`;

test.each([
  ["{\\f1 \\'b3}5 {\\f2 \\'fe} {\\f1 \\u-3933?}", "≥5 ☑ ≤"],
  [form("\\fftype1\\ffres25\\ffdefres1"), "☒"],
  [form("\\fftype1\\ffres0\\ffdefres1"), "☐"],
  [form("\\fftype2\\ffres1{\\*\\ffl red}{\\*\\ffl blue}"), "blue"],
  [form("\\fftype2\\ffres1{\\*\\ffl red}{\\*\\ffl blue}", "blue"), "blue"],
  [form("\\fftype0{\\*\\ffdeftext none}", "Ada"), "Ada"],
  ['{\\field{\\*\\fldinst SYMBOL 254 \\\\f "Wingdings"}{\\fldrslt \\f2\\\'fe}}', "☑"],
  ["a{\\deleted gone}b{\\revised new}", "abnew"],
  ["{\\header Contract AB-1\\par}{\\footer Page 3\\par}text", "Contract AB-1\n\ntext"],
  ["{\\header Contract AB-1}The contract ab-1 is old", "The contract ab-1 is old"],
  ["{\\listtext a)\\tab}\\ls1 one\\par", "- a) one"],
  ["{\\listtext 3.\\tab}\\ls1 one\\par", "3. one"],
  ["{\\listtext\\'b7\\tab}\\ls1 one\\par", "- one"],
])("reads %s", async (body, markdown) => {
  expect(await read(body)).toBe(markdown);
});
