import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { testServerUrl } from "../src/platform/testing/database.ts";
import { askBelow, newPerson } from "./support/ask.ts";
import { type TestServer, startTestServer } from "./support/server.ts";

/** A change of a group on one replica counts on the other, which cached the roles before it. */
describe.skipIf(!process.env["DATABASE_URL"])("two replicas on one PostgreSQL", () => {
  let dataDir: string;
  let server: Awaited<ReturnType<typeof testServerUrl>>;
  let one: TestServer;
  let two: TestServer;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "parlance-group-roles-"));
    server = await testServerUrl();
    const env = {
      DATABASE_URL: server?.url ?? "",
      NAMESPACE: `group-roles-${process.pid}`,
      DATA_DIR: dataDir,
    };
    one = await startTestServer(env);
    two = await startTestServer(env);
  }, 120_000);
  afterAll(async () => {
    await two[Symbol.asyncDispose]();
    await one[Symbol.asyncDispose]();
    await server?.drop();
    await rm(dataDir, { recursive: true, force: true });
  }, 60_000);

  test("who joins or leaves a group on one replica has its roles or loses them on the other", async () => {
    const here = askBelow(() => one, "/api/v1");
    const { id, token } = await newPerson(one, "member");
    const group = { name: "Administrators", roles: ["admin"] };
    const made = await here("POST", "/groups", { body: group });
    const membership = `/groups/${made.body.id}/members/${id}`;
    const there = async () =>
      (await two.request("/api/v1/users?limit=1", { token })).status;
    const becomes = (status: number) =>
      vi.waitFor(async () => expect(await there()).toBe(status), { timeout: 90_000 });
    expect(await there()).toBe(403);
    expect((await here("PUT", membership)).status).toBe(204);
    await becomes(200);
    await here("PATCH", `/groups/${made.body.id}`, { body: { roles: [] } });
    await becomes(403);
    await here("PATCH", `/groups/${made.body.id}`, { body: { roles: ["admin"] } });
    await becomes(200);
    await here("DELETE", membership);
    await becomes(403);
  });
});
