import { afterAll, beforeAll, expect, test } from "vitest";
import { askBelow, newPerson } from "./support/ask.ts";
import { type DocumentsServer, startDocuments } from "./support/documents-server.ts";
import type { TestServer } from "./support/server.ts";
import { uploadFile } from "./support/upload-file.ts";

const NOBODY = "01a1fb8b-2522-72b4-a6e7-60a70d8e06b0";
let documents: DocumentsServer;
let parlance: TestServer;
let bob: { id: string; token: string };
beforeAll(async () => {
  documents = await startDocuments();
  parlance = documents.parlance;
  bob = await newPerson(parlance, "bob");
});
afterAll(() => documents[Symbol.asyncDispose]());
const ask = askBelow(() => parlance, "/api/v1/documents");
const upload: DocumentsServer["upload"] = (...asked) => documents.upload(...asked);

test("a shared document is in the user's list until the share is revoked", async () => {
  const ada = await newPerson(parlance, "lister-ada");
  const bob = await newPerson(parlance, "lister-bob");
  const folder = (await (
    await parlance.request("/api/v1/documents/folders", {
      method: "POST",
      body: { name: "Shared" },
      token: ada.token,
    })
  ).json()) as { id: string };
  const options = { token: ada.token, fields: { folderId: folder.id } };
  const { id } = (await uploadFile(parlance, "shared words", "shared.txt", options)).body;
  const listed = async () => {
    const response = await parlance.request("/api/v1/documents", { token: bob.token });
    const { items, total } = (await response.json()) as {
      items: { id: string }[];
      total: number;
    };
    return [items.map((item) => item.id), total];
  };
  expect(await listed()).toEqual([[], 0]);
  const shares = [{ subjectType: "user", subjectId: bob.id, accessRole: "viewer" }];
  await parlance.request("/api/v1/sharing/share", {
    method: "POST",
    body: { resourceType: "folder", resourceId: folder.id, shares },
    token: ada.token,
  });
  expect(await listed()).toEqual([[id], 1]);
  const response = await parlance.request(`/api/v1/sharing/shares/folder/${folder.id}`, {
    token: ada.token,
  });
  const { items } = (await response.json()) as { items: { id: string }[] };
  await parlance.request(`/api/v1/sharing/shares/${items[0]?.id}`, {
    method: "DELETE",
    token: ada.token,
  });
  expect(await listed()).toEqual([[], 0]);
});

test("an editor changes a document of a shared folder but cannot move it, which would change its owner", async () => {
  const folder = (await ask("POST", "/folders", { body: { name: "Contracts" } })).body;
  const { body: document } = await upload("secret", "secret.txt", { folderId: folder.id });
  expect(
    (await upload("into it", "x.txt", { folderId: folder.id }, bob.token)).body.code,
  ).toBe("folder_not_found");
  const shares = [{ subjectType: "user", subjectId: bob.id, accessRole: "editor" }];
  await parlance.request("/api/v1/sharing/share", {
    body: { resourceType: "folder", resourceId: folder.id, shares },
  });
  const change = async (body: object) =>
    (await ask("PATCH", `/${document.id}`, { token: bob.token, body })).body;
  expect((await change({ fileName: "better.txt" })).fileName).toBe("better.txt");
  const { body: own } = await ask("POST", "/folders", {
    token: bob.token,
    body: { name: "Mine" },
  });
  expect((await change({ folderId: own.id })).code).toBe("document_read_only");
  expect((await change({ folderId: null })).code).toBe("document_read_only");
  expect(
    (await upload("into it", "x.txt", { folderId: folder.id }, bob.token)).status,
  ).toBe(201);
});

test("one's folders are found by a part of their name, without case or diacritics", async () => {
  const token = (await newPerson(parlance, "folder-finder")).token;
  for (const name of ["Résumés 2026", "Invoices"])
    await ask("POST", "/folders", { token, body: { name } });
  const find = async (words: string) => {
    const found = await ask("GET", `/folders?query=${encodeURIComponent(words)}`, {
      token,
    });
    return found.body.items.map(({ name }: { name: string }) => name);
  };
  expect(await find("resume")).toEqual(["Résumés 2026"]);
  expect(await find("%")).toEqual([]);
});

test("folders are nested 20 deep, also by moving folders that hold others", async () => {
  const chain = async (levels: number) => {
    const ids: string[] = [];
    for (let level = 0; level < levels; level += 1) {
      const body = { name: `level ${level}`, parentId: ids.at(-1) ?? null };
      ids.push((await ask("POST", "/folders", { body })).body.id);
    }
    return ids;
  };
  const [long, short] = [await chain(15), await chain(6)];
  const move = (parentId: string | undefined) =>
    ask("PATCH", `/folders/${short[0]}`, { body: { parentId } });
  expect((await move(long[14])).body.code).toBe("folder_too_deep");
  expect((await move(long[13])).status).toBe(200);
  const body = { name: "one more", parentId: short[5] };
  expect((await ask("POST", "/folders", { body })).body.code).toBe("folder_too_deep");
});

test("two users who move their folders into each other's at once cannot create a cycle", async () => {
  const make = async (name: string, token?: string) =>
    (await ask("POST", "/folders", { body: { name }, ...(token && { token }) })).body.id;
  const admins = await make("Of the administrator");
  const bobs = await make("Of Bob", bob.token);
  const share = (resourceId: string, token: string, subjectId: string) =>
    parlance.request("/api/v1/sharing/share", {
      token,
      body: {
        resourceType: "folder",
        resourceId,
        shares: [{ subjectType: "user", subjectId, accessRole: "editor" }],
      },
    });
  const me = (await (await parlance.request("/api/v1/auth/me")).json()) as { id: string };
  await share(admins, parlance.token, bob.id);
  await share(bobs, bob.token, me.id);
  const moves = await Promise.all([
    ask("PATCH", `/folders/${admins}`, { body: { parentId: bobs } }),
    ask("PATCH", `/folders/${bobs}`, { token: bob.token, body: { parentId: admins } }),
  ]);
  expect(moves.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test("folders nest without cycles, and only empty ones are deleted", async () => {
  const make = async (name: string, parentId: string | null = null) =>
    (await ask("POST", "/folders", { body: { name, parentId } })).body.id;
  const top = await make("top");
  const inner = await make("inner", top);
  expect(
    (await ask("PATCH", `/folders/${top}`, { body: { parentId: inner } })).body.code,
  ).toBe("folder_cycle");
  expect((await ask("DELETE", `/folders/${top}`)).body.code).toBe("folder_not_empty");
  expect(
    (await ask("GET", `/folders?parentId=${top}`)).body.items.map(({ id }) => id),
  ).toEqual([inner]);
  expect(
    (await ask("POST", "/folders", { body: { name: "x", parentId: NOBODY } })).body.code,
  ).toBe("folder_not_found");
  expect((await ask("DELETE", `/folders/${inner}`)).status).toBe(204);
  expect((await ask("DELETE", `/folders/${top}`)).status).toBe(204);
});
