import { expect, test } from "vitest";
import { openFileRoom } from "./keep-files.ts";
import { renderResult } from "./render-result.ts";

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const base64 = (text: string) => Buffer.from(text).toString("base64");
const render = (...content: { type: string; [field: string]: unknown }[]) =>
  renderResult({ content }, openFileRoom());

test("keeps images, sounds and files of a result, and names them in the text", () => {
  const { content, files } = render(
    { type: "text", text: "here" },
    { type: "image", data: PNG, mimeType: "image/png" },
    { type: "audio", data: base64("sound"), mimeType: "audio/wav" },
    {
      type: "resource",
      resource: { uri: "file:///a.pdf", mimeType: "application/pdf", blob: base64("%PDF") },
    },
    { type: "resource", resource: { uri: "file:///a.txt", text: "its text" } },
    { type: "resource_link", uri: "https://a.example/b", name: "b", mimeType: "text/csv" },
  );
  expect(content.split("\n")).toEqual([
    "here",
    "[image image/png, 70 bytes]",
    "[audio audio/wav, 5 bytes]",
    "[file file:///a.pdf application/pdf, 4 bytes]",
    "its text",
    "[resource b · https://a.example/b · text/csv]",
  ]);
  expect(files?.map(({ kind, mediaType }) => [kind, mediaType])).toEqual([
    ["image", "image/png"],
    ["audio", "audio/wav"],
    ["file", "application/pdf"],
  ]);
  expect(files?.[0]?.data).toBe(PNG);
});

test.each([
  ["a wrong type", { data: PNG, mimeType: "image/jpeg" }],
  ["no type", { data: PNG }],
  ["a data URL", { data: `data:image/png;base64,${PNG}`, mimeType: "image/png" }],
  ["line breaks", { data: PNG.replace(/.{20}/g, "$&\n"), mimeType: "image/png" }],
  ["base64url", { data: PNG.replaceAll("+", "-").replace(/=+$/, "") }],
])("reads an image with %s", (_, fields) => {
  const { files } = render({ type: "image", ...fields });
  expect(files).toEqual([{ kind: "image", name: "", mediaType: "image/png", data: PNG }]);
});

test("an image that no model reads is a file", () => {
  const data = base64("<svg/>");
  const { files } = render({ type: "image", data, mimeType: "image/svg+xml" });
  expect(files).toMatchObject([{ kind: "file", mediaType: "image/svg+xml" }]);
});

test.each([[undefined], [null], [17], [""], ["not base64!"]])(
  "names an image whose data is %j",
  (data) => {
    const { content, files } = render({ type: "image", data, mimeType: "image/png" });
    expect(content).toMatch(/^\[file image\/png (has no data|is )/);
    expect(files).toBeUndefined();
  },
);

test("bounds the number of files of a result, and their size in a run", () => {
  const image = { type: "image", data: PNG, mimeType: "image/png" };
  expect(render(...Array.from({ length: 12 }, () => image)).files).toHaveLength(10);
  const large = { type: "audio", data: "A".repeat(1_500_000), mimeType: "audio/wav" };
  const room = openFileRoom();
  const kept = Array.from({ length: 4 }, () => renderResult({ content: [large] }, room));
  expect(kept.map(({ files = [] }) => files.length)).toEqual([1, 1, 0, 0]);
  expect(kept[3]?.content).toContain("too large for this reply");
});
