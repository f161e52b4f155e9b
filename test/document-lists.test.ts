import { afterAll, beforeAll, expect, test } from "vitest";
import { askBelow, newPerson } from "./support/ask.ts";
import { type DocumentsServer, startDocuments } from "./support/documents-server.ts";

let documents: DocumentsServer;
let ada: { id: string; token: string };
let bob: { id: string; token: string };
let folderId: string;
const ask = askBelow(() => documents.parlance, "/api/v1/documents");
const upload = (name: string, bytes: number, token: string, fields = {}) =>
  documents.upload(`${name} `.padEnd(bytes, "x"), name, fields, token);

beforeAll(async () => {
  documents = await startDocuments();
  ada = await newPerson(documents.parlance, "ada");
  bob = await newPerson(documents.parlance, "bob");
  await upload("Übersicht.txt", 300, ada.token);
  await upload("anna.txt", 100, ada.token);
  await upload("Zebra.txt", 200, ada.token);
  const folder = await ask("POST", "/folders", { token: bob.token, body: { name: "Bob" } });
  folderId = folder.body.id;
  await upload("mole.txt", 150, bob.token, { folderId });
  await upload("Ares.txt", 250, bob.token, { folderId });
  await upload("kept from Ada.txt", 400, bob.token);
  const shares = [{ subjectType: "user", subjectId: ada.id, accessRole: "viewer" }];
  await documents.parlance.request("/api/v1/sharing/share", {
    token: bob.token,
    body: { resourceType: "folder", resourceId: folderId, shares },
  });
});
afterAll(() => documents[Symbol.asyncDispose]());

const names = async (query: string, token = ada.token) => {
  const { body } = await ask("GET", `?${query}`, { token });
  return body.items.map(({ fileName }) => fileName);
};

test("own and shared documents are sorted together by name, without case or diacritics", async () => {
  const sorted = ["anna.txt", "Ares.txt", "mole.txt", "Übersicht.txt", "Zebra.txt"];
  expect(await names("sort=fileName")).toEqual(sorted);
  expect(await names("sort=fileName&order=desc")).toEqual(sorted.toReversed());
  expect(await names("sort=fileName&query=z")).toEqual(["Zebra.txt"]);
});

test("pages of a sorted list follow each other without a gap or a repetition", async () => {
  const { body } = await ask("GET", "?sort=size&limit=2", { token: ada.token });
  expect(body.total).toBe(5);
  const pages = await Promise.all(
    [1, 2, 3, 4].map((page) => names(`sort=size&limit=2&page=${page}`)),
  );
  expect(pages).toEqual([
    ["Übersicht.txt", "Ares.txt"],
    ["Zebra.txt", "mole.txt"],
    ["anna.txt"],
    [],
  ]);
});

test("a folder is sorted by size and by date, the largest and the last changed first", async () => {
  expect(await names(`folderId=${folderId}&sort=size`)).toEqual(["Ares.txt", "mole.txt"]);
  expect(await names(`folderId=${folderId}&sort=size&order=asc`)).toEqual([
    "mole.txt",
    "Ares.txt",
  ]);
  const { body } = await ask("GET", `?folderId=${folderId}&sort=updatedAt`, {
    token: bob.token,
  });
  const times = body.items.map(({ updatedAt }) => String(updatedAt));
  expect(times).toEqual(times.toSorted().toReversed());
});

test("documents are sorted by the steps of processing, the failed ones last", async () => {
  const broken = await documents.upload("%PDF-1.7 garbage", "a.pdf", {}, bob.token);
  const status = async () =>
    (await ask("GET", `/${broken.body.id}`, { token: bob.token })).body.status;
  await expect.poll(status).toBe("FAILED");
  expect((await names("sort=status", bob.token)).at(-1)).toBe("a.pdf");
  expect((await names("sort=status&order=desc", bob.token)).at(0)).toBe("a.pdf");
});

test("an unknown order is refused, and says what there is", async () => {
  const { status, body } = await ask("GET", "?sort=colour", { token: ada.token });
  expect(status).toBe(400);
  expect(JSON.stringify(body)).toContain("fileName");
});

test("those that are left as they failed are apart from what is tried again", async () => {
  const eve = await newPerson(documents.parlance, "eve");
  const ids: string[] = [];
  for (const name of ["left.pdf", "again.pdf"]) {
    const bytes = `%PDF-1.7 garbage of ${name}`;
    ids.push((await documents.upload(bytes, name, {}, eve.token)).body.id);
  }
  await documents.upload("words", "read.txt", {}, eve.token);
  await expect
    .poll(() => names("status=FAILED&sort=fileName", eve.token), { timeout: 30_000 })
    .toEqual(["again.pdf", "left.pdf"]);
  const { status } = await ask("POST", `/${ids[0]}/skip`, { token: eve.token });
  expect(status).toBeLessThan(300);
  expect(await names("status=FAILED&skipped=false", eve.token)).toEqual(["again.pdf"]);
  expect(await names("skipped=true", eve.token)).toEqual(["left.pdf"]);
  expect(await names("skipped=false&sort=fileName", eve.token)).toEqual([
    "again.pdf",
    "read.txt",
  ]);
  const { body } = await ask("GET", "?status=FAILED&skipped=false", { token: eve.token });
  expect(body.total).toBe(1);
});
