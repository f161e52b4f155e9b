import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../platform/db/database.ts";
import { coreDatabase } from "../../../../test/support/core-database.ts";
import { allowedToolsOf, allowTool } from "../approvals/allowed-tools.ts";
import { ToolServer } from "../../tool-gateway/contract.ts";
import {
  changeToolServer,
  createToolServer,
  deleteToolServer,
  readToolServers,
  seedToolServers,
} from "./store.ts";

const KEY = Buffer.alloc(32).toString("base64");
const entry = (name: string, more: object = {}) =>
  ToolServer.parse({ name, url: "http://127.0.0.1:9/mcp", ...more });

let db: Database;
beforeAll(async () => {
  db = await coreDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());

const find = async (name: string) =>
  (await readToolServers(db, KEY)).find((server) => server.name === name);

test("what users allowed the tools of a server ends with the server", async () => {
  await createToolServer(db, entry("one"), KEY);
  for (const server of ["one", "two"])
    await db.tx(() => allowTool(db, "ada", { server, name: "pay", fingerprint: "f" }));
  await deleteToolServer(db, "one");
  expect(await allowedToolsOf(db, "ada")).toMatchObject([{ server: "two" }]);
});

test("servers keep the order in which they were configured, also those registered in one moment", async () => {
  const configured = ["town", "sea", "lake"];
  await seedToolServers(
    db,
    configured.map((name) => entry(name)),
    KEY,
  );
  await db.query(sql`update core.mcp_servers set created_at = '2026-01-01'
    where name = any(${configured})`);
  const names = (await readToolServers(db, KEY)).map(({ name }) => name);
  expect(names.filter((name) => configured.includes(name))).toEqual(configured);
});

test("a field that no tool server has, stored before it was refused, is not read again", async () => {
  const header = { authorization: "Bearer secret" };
  await createToolServer(db, entry("misspelt", { header, hide: ["a"] }), KEY);
  const found = await find("misspelt");
  expect(found).toMatchObject({ hide: ["a"] });
  expect(JSON.stringify(found)).not.toContain("secret");
});

test("the time of registration is the server's own, whatever is sent, and stays when it changes", async () => {
  const sent = { registeredAt: "2000-01-01T00:00:00.000Z" };
  const { registeredAt } = await createToolServer(db, entry("timed", sent), KEY);
  expect(registeredAt).not.toBe(sent.registeredAt);
  const changed = await changeToolServer(db, "timed", entry("timed", sent), KEY);
  expect(changed.registeredAt).toBe(registeredAt);
  expect((await find("timed"))?.registeredAt).toBe(registeredAt);
});

test("the secret of a client stays for the issuer that it was stored for alone", async () => {
  const oauth = { clientId: "us", issuer: "https://sign-in.example" };
  const secretAfter = async (changed: object) => {
    const kept = { oauth: { ...oauth, clientSecret: "s3cret" } };
    await changeToolServer(db, "bound", entry("bound", kept), KEY);
    await changeToolServer(db, "bound", entry("bound", { oauth: changed }), KEY);
    return (await find("bound"))?.oauth?.clientSecret;
  };
  await createToolServer(db, entry("bound"), KEY);
  expect(await secretAfter(oauth)).toBe("s3cret");
  expect(await secretAfter({ clientId: "us" })).toBeUndefined();
  expect(await secretAfter({ ...oauth, issuer: "https://evil.example" })).toBeUndefined();
});

test("servers of the environment are trusted unless it says otherwise, registered ones are not", async () => {
  await seedToolServers(db, [entry("seeded"), entry("doubted", { trusted: false })], KEY);
  await createToolServer(db, entry("registered"), KEY);
  const trust = ["seeded", "doubted", "registered"].map(
    async (name) => (await find(name))?.trusted,
  );
  expect(await Promise.all(trust)).toEqual([true, false, undefined]);
});
