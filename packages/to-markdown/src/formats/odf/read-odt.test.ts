import { expect, test } from "vitest";
import { buildZip } from "../build-zip.test-support.ts";
import { fileToMarkdown } from "../file-to-markdown.ts";

const LEVELS = [
  '<text:list-level-style-number text:level="1" style:num-format="1" style:num-prefix="§ "/>',
  '<text:list-level-style-number text:level="2" style:num-format="a" style:num-suffix=")"/>',
];
const STYLES = `<text:list-style style:name="L">${LEVELS.join("")}</text:list-style><text:list-style style:name="N"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/></text:list-style><style:style style:name="S" style:family="text"><style:text-properties style:font-name="Wingdings"/></style:style>`;

async function read(body: string, pages = "") {
  const file = buildZip({
    mimetype: "application/vnd.oasis.opendocument.text",
    "content.xml": `<office:document-content><office:automatic-styles>${STYLES}</office:automatic-styles><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
    "styles.xml": `<office:document-styles><office:master-styles><style:master-page>${pages}</style:master-page></office:master-styles></office:document-styles>`,
  });
  return (await fileToMarkdown(file, { fileName: "a.odt" })).markdown;
}

const list = (style: string, items: string, more = "") =>
  `<text:list text:style-name="${style}" ${more}>${items}</text:list>`;
const item = (text: string, inner = "") =>
  `<text:list-item><text:p>${text}</text:p>${inner}</text:list-item>`;

test("shows labels of lists as they are displayed, and goes on counting", async () => {
  const body =
    list("L", item("Scope", list("L", item("first") + item("second")))) +
    list("N", item("one"), 'xml:id="a"') +
    "<text:p>pause</text:p>" +
    list("N", item("two"), 'text:continue-numbering="true"') +
    list("N", item("again")) +
    list("N", item("two more"), 'text:continue-list="a"');
  expect((await read(body)).split("\n").filter((line) => line !== "")).toEqual([
    "- § 1 Scope",
    "  - a) first",
    "  - b) second",
    "1. one",
    "pause",
    "2. two",
    "1. again",
    "2. two more",
  ]);
});

test("shows values of forms and signs of symbol fonts, and leaves hidden sections out", async () => {
  const forms =
    '<office:forms><form:form><form:checkbox form:id="c1" form:label="Paid" form:current-state="checked"/><form:text form:id="c2" form:current-value="Ada"/><form:listbox form:id="c3"><form:option form:label="red"/><form:option form:label="blue" form:current-selected="true"/></form:listbox></form:form></office:forms>';
  const control = (id: string) => `<draw:control draw:control="${id}"/>`;
  const mark = (type: string, params: string) =>
    `<field:fieldmark field:type="vnd.oasis.opendocument.field.${type}">${params}</field:fieldmark>`;
  const param = (name: string, value: string) =>
    `<field:param field:name="${name}" field:value="${value}"/>`;
  const body = `${forms}<text:p>${control("c1")}, ${control("c2")}, ${control("c3")}, ${mark("FORMCHECKBOX", param("Checkbox_Checked", "true"))}, ${mark("FORMDROPDOWN", param("Dropdown_ListEntry", "x") + param("Dropdown_ListEntry", "y") + param("Dropdown_Selected", "1"))}, <text:span text:style-name="S">\uf0fe</text:span></text:p><text:section text:display="none"><text:p>hidden</text:p></text:section>`;
  expect(await read(body)).toBe("☒ Paid, Ada, blue, ☒, y, ☑");
});

test("keeps once what stands in headers and footers alone", async () => {
  const pages =
    "<style:header><text:p>Contract AB-1</text:p></style:header><style:footer><text:p>Seite 3 von 4</text:p></style:footer>";
  expect(await read("<text:p>text</text:p>", pages)).toBe("Contract AB-1\n\ntext");
});

async function readPages(body: string, count?: number) {
  const file = buildZip({
    mimetype: "application/vnd.oasis.opendocument.text",
    "content.xml": `<office:document-content><office:automatic-styles>${STYLES}</office:automatic-styles><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
    ...(count !== undefined && {
      "meta.xml": `<office:document-meta><office:meta><meta:document-statistic meta:page-count="${count}"/></office:meta></office:document-meta>`,
    }),
  });
  const { markdown, layout } = await fileToMarkdown(file, { fileName: "a.odt" });
  return { parts: markdown.split("\n\f\n"), layout };
}

const END = "<text:soft-page-break/>";

test("pages are those that the program marked, and a sentence is where it begins", async () => {
  const body = `<text:p>One. It begins ${END}and ends. Two.</text:p>${END}<text:p>Three.</text:p>`;
  expect(await readPages(body, 3)).toEqual({
    parts: ["One. It begins and ends.", "Two.", "Three."],
    layout: { kind: "pages", parts: 3 },
  });
  expect((await readPages(body, 5)).layout).toEqual({ kind: "none", parts: 1 });
  expect((await readPages("<text:p>One.</text:p>", 1)).layout).toMatchObject({
    kind: "none",
  });
});

test("a page that ends in a table counts, and each row has its page", async () => {
  const row = (label: string) =>
    `<table:table-row><table:table-cell><text:p>${label}</text:p></table:table-cell><table:table-cell><text:p>1</text:p></table:table-cell></table:table-row>`;
  const body = `<table:table>${row("a")}${END}${row("b")}</table:table><text:p>After.</text:p>`;
  expect(await readPages(body, 2)).toEqual({
    parts: ["| a | 1 |\n| --- | --- |\n| b | 1 |", "After."],
    layout: { kind: "pages", parts: 2, lines: [[1, 2, 2]] },
  });
});
