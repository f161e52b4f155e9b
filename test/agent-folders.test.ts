import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type AgentsServer, NOBODY, startAgentsServer } from "./support/agents-server.ts";

let server: AgentsServer;
beforeAll(async () => {
  server = await startAgentsServer();
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => server.provider.answer(() => ({ text: ["Hello"] })));

test("a bulk operation gives each item its own outcome", async () => {
  const [one, two, foreign] = [
    await server.make(),
    await server.make(),
    await server.make({}, server.bob),
  ];
  const patched = await server.ask("PATCH", "/bulk", {
    body: {
      items: [
        { id: one.id, name: "A" },
        { id: foreign.id, name: "B" },
        { id: two.id, temperature: 9 },
      ],
    },
  });
  expect(patched.body.results.map(({ success, code }) => [success, code])).toEqual([
    [true, undefined],
    [false, "agent_not_found"],
    [false, "validation_failed"],
  ]);
  const put = await server.ask("PUT", "/bulk", {
    body: { items: [{ id: two.id, name: "C" }, { id: one.id }] },
  });
  expect(put.body.results.map(({ success }) => success)).toEqual([true, false]);
  const removed = await server.ask("DELETE", "/bulk", {
    body: { ids: [one.id, foreign.id, NOBODY] },
  });
  expect(removed.body.results.map(({ success }) => success)).toEqual([true, false, false]);
  expect((await server.ask("GET", `/${foreign.id}`, { token: server.bob })).body.name).toBe(
    "Helper",
  );
  const many = Array.from({ length: 101 }, () => ({ id: NOBODY }));
  expect((await server.ask("PATCH", "/bulk", { body: { items: many } })).body.code).toBe(
    "validation_failed",
  );
});

test("folders are nested 20 deep, also by moving folders that hold others", async () => {
  const folder = (name: string, parentId: string | null) =>
    server.ask("POST", "/folders", { body: { name, parentId }, token: server.bob });
  const chain = async (levels: number) => {
    const ids: string[] = [];
    for (let level = 0; level < levels; level += 1)
      ids.push((await folder(`level ${level}`, ids.at(-1) ?? null)).body.id);
    return ids;
  };
  const move = (id: string | undefined, parentId: string | undefined) =>
    server.ask("PATCH", `/folders/${id}`, { body: { parentId }, token: server.bob });
  const [long, short] = [await chain(15), await chain(6)];
  expect((await move(short[0], long[14])).body.code).toBe("folder_too_deep");
  expect((await move(short[0], long[13])).status).toBe(200);
  expect((await folder("one more", short[5] ?? null)).body.code).toBe("folder_too_deep");
  await move(short[0], long[0]);
  for (const id of [short[0], long[0]])
    await server.ask("DELETE", `/folders/${id}`, { token: server.bob });
  const { items } = (await server.ask("GET", "/folders?limit=100", { token: server.bob }))
    .body as unknown as {
    items: { id: string }[];
  };
  for (const { id } of items)
    await server.ask("DELETE", `/folders/${id}`, { token: server.bob });
});

test("folders form a tree with moves but without cycles, also with concurrent moves", async () => {
  const folder = async (name: string, parentId: string | null = null) =>
    (await server.ask("POST", "/folders", { body: { name, parentId }, token: server.bob }))
      .body.id;
  const move = (id: string, parentId: string | null) =>
    server.ask("PATCH", `/folders/${id}`, { body: { parentId }, token: server.bob });
  const [top, inner] = [await folder("top"), await folder("other")];
  const leaf = await folder("leaf", inner);
  const agent = await server.make({ folderId: leaf, name: "Deep" }, server.bob);
  expect((await move(inner, leaf)).body.code).toBe("folder_cycle");
  expect((await move(inner, inner)).body.code).toBe("folder_cycle");
  const both = await Promise.all([move(top, inner), move(inner, top)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  await move(top, null);
  await move(inner, top);
  const tree = (await server.ask("GET", "/tree", { token: server.bob }))
    .body as unknown as {
    folders: { name: string; children: unknown[] }[];
  };
  expect(tree.folders).toMatchObject([
    {
      name: "top",
      children: [
        { name: "other", children: [{ name: "leaf", agents: [{ name: "Deep" }] }] },
      ],
    },
  ]);
  expect(
    (await server.ask("PATCH", `/folders/${top}`, { body: { name: "x" } })).body.code,
  ).toBe("folder_not_found");
  expect(
    (
      await server.ask("PATCH", `/${agent.id}`, {
        body: { folderId: NOBODY },
        token: server.bob,
      })
    ).body.code,
  ).toBe("folder_not_found");
  await server.ask("DELETE", `/folders/${leaf}`, { token: server.bob });
  expect(
    (await server.ask("GET", `/${agent.id}`, { token: server.bob })).body["folderId"],
  ).toBe(inner);
  expect(
    (await server.ask("GET", "/folders?limit=1", { token: server.bob })).body,
  ).toMatchObject({
    total: 2,
    items: [{ name: "other" }],
  });
});

test("a tree whose agents are too long for one answer is read without them", async () => {
  const token = server.bob;
  const instructions = "x".repeat(100_000);
  for (let n = 0; n < 41; n += 1) await server.make({ instructions }, token);
  expect(await server.ask("GET", "/tree", { token })).toMatchObject({
    status: 413,
    body: { code: "agents_too_large" },
  });
  expect((await server.ask("GET", "/tree?agents=none", { token })).status).toBe(200);
});

test("a page of agents that are too long for one answer leaves out their long fields", async () => {
  const token = server.bob;
  const read = (path: string) => server.ask("GET", path, { token });
  const { items: some } = (await read("?limit=2")).body;
  const long = { instructions: "x".repeat(100_000), tools: [], retrieval: null, files: [] };
  expect(some).toMatchObject([long, long]);
  const { items, total } = (await read("?limit=100")).body;
  expect(items).toHaveLength(total);
  const ids = items.map(({ id }) => id).join(",");
  const several = (await read(`/multiple?ids=${ids}`)).body as unknown as typeof items;
  expect(several).toHaveLength(total);
  for (const agent of [...items, ...several]) {
    expect(agent).toMatchObject({ version: expect.any(Number), role: "owner" });
    for (const field of Object.keys(long)) expect(agent).not.toHaveProperty(field);
  }
  expect((await read(`/${some[0]?.id}`)).body).toMatchObject(long);

  const { id } = some[0] ?? { id: "" };
  for (let n = 0; n < 40; n += 1) {
    const body = { description: `d${n}` };
    await server.ask("PATCH", `/${id}`, { token, body });
  }
  const versions = (await read(`/${id}/versions?limit=100`)).body.items;
  expect(versions).toHaveLength(41);
  for (const version of versions) {
    expect(version["definition"]).not.toHaveProperty("instructions");
    expect(version["definition"]).toHaveProperty("description");
    expect(version).not.toHaveProperty("files");
  }
  const short = (await read(`/${id}/versions?limit=1`)).body.items;
  const { files, ...definition } = long;
  expect(short).toMatchObject([{ definition, files }]);
});
