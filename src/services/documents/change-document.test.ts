import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Database } from "../../platform/db/database.ts";
import { migrate } from "../../platform/db/migrate.ts";
import type { User } from "../../platform/http/caller.ts";
import { silentLog } from "../../platform/telemetry/log.ts";
import { testDatabase } from "../../platform/testing/database.ts";
import type { Access } from "./access.ts";
import { changeDocument } from "./change-document.ts";
import { changeFolder, createFolder, findFolder } from "./folders.ts";
import { findDocuments, insertDocument, updateDocument } from "./store.ts";

/** The folder that decides on the access of others is the one in which a document lies. */
let db: Database;
let registered: Map<string, string | null>;
let beforeRegistering: () => Promise<void>;
let beforeAnswering: () => Promise<void>;
const nothing = async () => {};
const access = {
  async require(_user, _type, resource) {
    await once("beforeAnswering");
    if (!resource) throw new Error("missing");
    return resource;
  },
  async register(_type, id, _owner, folderId) {
    await once("beforeRegistering");
    registered.set(id, folderId);
  },
  // the rest is not called
} as Pick<Access, "require" | "register"> as Access;

/** Runs what a test put between two steps. */
async function once(step: "beforeRegistering" | "beforeAnswering"): Promise<void> {
  const work = step === "beforeRegistering" ? beforeRegistering : beforeAnswering;
  if (step === "beforeRegistering") beforeRegistering = nothing;
  else beforeAnswering = nothing;
  await work();
}

beforeAll(async () => {
  db = await testDatabase();
  await migrate(db, {
    schema: "documents",
    folder: new URL("./migrations/", import.meta.url),
    log: silentLog(),
  });
});
afterAll(() => db[Symbol.asyncDispose]());
beforeEach(() => {
  registered = new Map();
  beforeRegistering = beforeAnswering = nothing;
});

const toUser = (userId: string): User => ({
  kind: "user",
  via: "jwt",
  userId,
  clientId: "default",
  email: "",
  name: "",
  roles: ["user"],
});
const owner = toUser("owner");
const deps = () => ({ db, access, maxFolders: 1_000 });
const aFolder = async () =>
  (await createFolder(deps(), owner, { name: "F", parentId: null, settings: {} })).id;
async function aDocument(folderId: string | null): Promise<string> {
  const id = uuidv7();
  await insertDocument(db, {
    id,
    ownerId: owner.userId,
    clientId: "default",
    folderId,
    fileName: "a.txt",
    mimeType: "text/plain",
    size: 1,
    sha256: id,
    storageKey: `documents/${id}`,
    purpose: null,
  });
  return id;
}
/** Lets the registration before a move is stored pass, and runs this before the one after it. */
const afterNext = (work: () => Promise<void>) => async () => {
  beforeRegistering = work;
};
const placeOf = async (id: string) => (await findDocuments(db, [id]))[0]?.folderId;

test("a document that moves again while its move is registered is registered where it lies", async () => {
  const [first, second] = [await aFolder(), await aFolder()];
  const document = await aDocument(null);
  beforeRegistering = afterNext(async () => {
    expect(await placeOf(document)).toBe(first);
    await changeDocument(deps(), owner, document, { folderId: second });
  });
  await changeDocument(deps(), owner, document, { folderId: first });
  expect([await placeOf(document), registered.get(document)]).toEqual([second, second]);
});

test("a folder that moves again while its move is registered is registered where it lies", async () => {
  const [first, second, moved] = [await aFolder(), await aFolder(), await aFolder()];
  beforeRegistering = afterNext(async () => {
    expect((await findFolder(db, moved))?.parentId).toBe(first);
    await changeFolder(deps(), owner, moved, { parentId: second });
  });
  const folder = await changeFolder(deps(), owner, moved, { parentId: first });
  expect([folder.parentId, registered.get(moved)]).toEqual([second, second]);
});

test("a move whose registration failed is registered when it is repeated", async () => {
  const folder = await aFolder();
  const document = await aDocument(folder);
  registered.set(document, folder);
  beforeRegistering = () => Promise.reject(new Error("the users service is away"));
  const move = () => changeDocument(deps(), owner, document, { folderId: null });
  await expect(move()).rejects.toThrow("away");
  await move();
  expect([await placeOf(document), registered.get(document)]).toEqual([null, null]);
});

test("a move that the users service refuses is not stored", async () => {
  const [folder, moved] = [await aFolder(), await aFolder()];
  const document = await aDocument(null);
  const refuse = () => Promise.reject(new Error("a label refuses it"));
  beforeRegistering = refuse;
  const change = { folderId: folder };
  await expect(changeDocument(deps(), owner, document, change)).rejects.toThrow("label");
  expect(await placeOf(document)).toBeNull();
  beforeRegistering = refuse;
  await expect(changeFolder(deps(), owner, moved, { parentId: folder })).rejects.toThrow(
    "label",
  );
  expect((await findFolder(db, moved))?.parentId).toBeNull();
});

test("who may not move a document does not move it back by naming its former folder", async () => {
  const [shared, other] = [await aFolder(), await aFolder()];
  const document = await aDocument(shared);
  beforeAnswering = () => updateDocument(db, document, { folderId: other });
  const change = { fileName: "b.txt", folderId: shared };
  await changeDocument(deps(), toUser("editor"), document, change);
  expect([await placeOf(document), registered.get(document)]).toEqual([other, other]);
});

test("a move that cannot be stored leaves the document registered where it lies", async () => {
  const folder = await aFolder();
  const document = await aDocument(null);
  beforeRegistering = async () => {
    await db.query(sql`delete from documents.folders where id = ${folder}`);
  };
  await expect(
    changeDocument(deps(), owner, document, { folderId: folder }),
  ).rejects.toThrow();
  expect(registered.get(document)).toBeNull();
});
