import { expect, test } from "vitest";
import { readDocxBody, textParagraph, textRun } from "./build-docx.test-support.ts";

const field = (data: string, instruction: string, result?: string) =>
  `<w:r><w:fldChar w:fldCharType="begin"><w:ffData>${data}</w:ffData></w:fldChar></w:r><w:r><w:instrText>${instruction}</w:instrText></w:r>${
    result === undefined
      ? ""
      : `<w:r><w:fldChar w:fldCharType="separate"/></w:r>${textRun(result)}`
  }<w:r><w:fldChar w:fldCharType="end"/></w:r>`;
const box = (state: string) => field(`<w:checkBox>${state}</w:checkBox>`, "FORMCHECKBOX");
const list = (chosen: string, result?: string) =>
  field(
    `<w:ddList>${chosen}<w:listEntry w:val="red"/><w:listEntry w:val="blue"/></w:ddList>`,
    "FORMDROPDOWN",
    result,
  );

test.each([
  [box('<w:checked/><w:default w:val="0"/>'), "☒"],
  [box('<w:checked w:val="0"/><w:default w:val="1"/>'), "☐"],
  [box('<w:default w:val="1"/>'), "☒"],
  [list('<w:result w:val="1"/>'), "blue"],
  [list('<w:default w:val="1"/>'), "blue"],
  [list(""), "red"],
  [list('<w:result w:val="1"/>', "blue"), "blue"],
  [field('<w:textInput><w:default w:val="Ada"/></w:textInput>', "FORMTEXT", "Bo"), "Bo"],
  [field("", ' SYMBOL 254 \\f "Wingdings" \\s 12 '), "☑"],
  [
    '<w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="1"/></w14:checkbox></w:sdtPr><w:sdtContent/></w:sdt>',
    "☒",
  ],
])("shows the value of a form field: %#", async (xml, shown) => {
  expect(await readDocxBody(textParagraph(textRun("Is: ") + xml + textRun(".")))).toBe(
    `Is: ${shown}.`,
  );
});

test("reads letters of symbol fonts as the signs that they draw", async () => {
  const fonts = (name: string) => `<w:rFonts w:ascii="${name}" w:hAnsi="${name}"/>`;
  const runs = [
    textRun("x "),
    textRun("\uf0a3 \uf0b3", fonts("Symbol")),
    textRun(" q\uf0fe", fonts("Wingdings")),
    textRun("\uf052", fonts("Wingdings 2")),
    '<w:r><w:sym w:font="Webdings" w:char="F061"/></w:r>',
    textRun(" q", fonts("Arial")),
  ];
  expect(await readDocxBody(textParagraph(runs.join("")))).toBe("x ≤ ≥ ❑☑☑✔ q");
});
