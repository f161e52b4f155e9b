import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { fileToMarkdown } from "./file-to-markdown.ts";
import { sniffFileType } from "./sniff-file-type.ts";

const fixture = (name: string) => readFile(new URL(`./fixtures/${name}`, import.meta.url));
const read = (bytes: Uint8Array) =>
  fileToMarkdown(bytes, { fileName: "upload", options: {} });

test.each(["rows.parquet", "rows-zstd.parquet"])(
  "%s is its columns with their types, and its first rows",
  async (name) => {
    const { markdown } = await read(await fixture(name));
    expect(markdown).toContain("Columns of a table with 3 rows:");
    expect(markdown).toContain("| amount | DECIMAL |");
    expect(markdown).toContain('| 1 | name 1 | 1.5 | 2025-01-02 | ["1","2"] | {"a":"1"} |');
  },
);

test("the bytes say that a file is Parquet, whatever its name", async () => {
  expect(await sniffFileType(await fixture("rows.parquet"), "a.csv")).toEqual({
    kind: "parquet",
    mimeType: "application/vnd.apache.parquet",
  });
});

test("a file without its end is damaged, and damaged rows leave the columns", async () => {
  const whole = await fixture("rows.parquet");
  await expect(read(whole.subarray(0, 400))).rejects.toMatchObject({
    code: "file_damaged",
  });
  const broken = Buffer.from(whole);
  broken.fill(0xff, 4, 120);
  const { markdown, warnings } = await read(broken);
  expect(markdown).toContain("| amount | DECIMAL |");
  expect(warnings.join()).toContain("The rows of the file are not shown");
});
