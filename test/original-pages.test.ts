import { afterAll, beforeAll, expect, test } from "vitest";
import type { OriginalPage } from "../src/services/parser/original/contract.ts";
import { askBelow, newPerson } from "./support/ask.ts";
import { pdfOfPages } from "./support/pdf-of-pages.ts";
import { startTestServer, type TestServer } from "./support/server.ts";
import { uploadFile } from "./support/upload-file.ts";

let parlance: TestServer;
let stranger: { id: string; token: string };
beforeAll(async () => {
  parlance = await startTestServer();
  stranger = await newPerson(parlance, "stranger");
});
afterAll(() => parlance[Symbol.asyncDispose]());
const ask = askBelow(() => parlance, "/api/v1/documents");

async function upload(content: string | Uint8Array<ArrayBuffer>, name: string) {
  return (await uploadFile(parlance, content, name)).body.id;
}

/** The width and height that a PNG states. */
function sizeOf(png: Buffer): [number, number] {
  expect(png.subarray(1, 4).toString()).toBe("PNG");
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}

test("a page of a PDF is a picture, and says where its words stand", async () => {
  const id = await upload(await pdfOfPages(["The first page.", "Second"]), "two.pdf");
  const first = await ask("GET", `/${id}/pages/1`);
  const { pages, width, height, words } = first.body as unknown as OriginalPage;
  expect([first.status, pages, width, height]).toEqual([200, 2, 595, 842]);
  expect(words.map(({ text }) => text)).toEqual(["The", "first", "page."]);
  expect(words[0]?.left).toBeCloseTo(60 / 595, 2);
  const picture = await ask("GET", `/${id}/pages/2/picture`);
  expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/png"]);
  expect(sizeOf(picture.bytes)).toEqual([1240, 1754]);
  const etag = picture.headers.get("etag") ?? "";
  const again = await parlance.request(`/api/v1/documents/${id}/pages/2/picture`, {
    headers: { "if-none-match": etag },
  });
  expect(again.status).toBe(304);
  const beyond = await ask("GET", `/${id}/pages/3`);
  expect([beyond.status, beyond.body.code]).toEqual([404, "page_not_found"]);
});

test("only who may read the document sees its pages, also who has the picture already", async () => {
  const id = await upload(await pdfOfPages(["Secret"]), "secret.pdf");
  const etag = (await ask("GET", `/${id}/pages/1/picture`)).headers.get("etag") ?? "";
  for (const path of ["pages/1", "pages/1/picture"]) {
    const answer = await parlance.request(`/api/v1/documents/${id}/${path}`, {
      token: stranger.token,
      headers: { "if-none-match": etag },
    });
    expect(answer.status, path).toBe(404);
  }
});

test("a file that is no PDF, is under a password, or damaged, says so", async () => {
  const text = await upload("No page.", "text.txt");
  const locked = await upload(
    await pdfOfPages(["Locked"], { userPassword: "sesame" }),
    "locked.pdf",
  );
  const damaged = await upload("%PDF-1.7\nnothing of a file", "damaged.pdf");
  const said = async (id: string) => {
    const { status, body } = await ask("GET", `/${id}/pages/1`);
    return [status, body.code];
  };
  expect(await said(text)).toEqual([415, "pages_not_shown"]);
  expect(await said(locked)).toEqual([422, "password_required"]);
  expect(await said(damaged)).toEqual([422, "invalid_pdf"]);
  expect((await ask("GET", `/${damaged}/pages/1/picture`)).status).toBe(422);
  expect((await ask("GET", `/${text}/pages/0`)).status).toBe(400);
});

test("a huge page and one of two thousand pages are drawn within the bounds of a picture", async () => {
  const huge = await upload(
    await pdfOfPages(["Huge"], { size: [100_000, 100_000] }),
    "huge.pdf",
  );
  const [width, height] = sizeOf((await ask("GET", `/${huge}/pages/1/picture`)).bytes);
  expect(width * height).toBeLessThanOrEqual(3_000_000);
  const texts = Array.from({ length: 2_000 }, (_, at) => `Sheet ${at + 1}`);
  const long = await upload(await pdfOfPages(texts), "long.pdf");
  const last = await ask("GET", `/${long}/pages/2000`);
  const { pages, words } = last.body as unknown as OriginalPage;
  expect([pages, words.map(({ text }) => text)]).toEqual([2_000, ["Sheet", "2000"]]);
});
