import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  type AgentBody,
  type AgentsServer,
  NOBODY,
  startAgentsServer,
} from "./support/agents-server.ts";
import { newPerson } from "./support/ask.ts";

let server: AgentsServer;
beforeAll(async () => {
  server = await startAgentsServer();
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => server.provider.answer(() => ({ text: ["Hello"] })));

test("a document that the user may not see cannot be given to an agent by any field or route", async () => {
  const foreign = await server.upload("bob's own", server.bob);
  const own = await server.upload("ada's own");
  const agent = await server.make({
    type: "cortex",
    files: [own],
    retrieval: { docIds: [own] },
  });
  expect(agent).toMatchObject({ files: [own] });
  for (const id of [foreign, NOBODY]) {
    const fields = [{ files: [own, id] }, { retrieval: { docIds: [id] } }];
    for (const body of fields) {
      expect(
        (await server.ask("POST", "", { body: { name: "x", type: "cortex", ...body } }))
          .body.code,
      ).toBe("document_not_found");
      expect((await server.ask("PATCH", `/${agent.id}`, { body })).body.code).toBe(
        "document_not_found",
      );
      const bulk = await server.ask("PATCH", "/bulk", {
        body: { items: [{ id: agent.id, ...body }] },
      });
      expect(bulk.body.results).toMatchObject([
        { success: false, code: "document_not_found" },
      ]);
    }
  }
  expect(
    (await server.ask("PATCH", `/${agent.id}`, { body: { description: "still" } })).body,
  ).toMatchObject({ files: [own] });
});

test("everyone uses agents of the organisation and built-in ones; only administrators change the former", async () => {
  const agent = await server.make(
    { type: "organization", name: "Company rules" },
    server.parlance.token,
  );
  const list = (await server.ask("GET", "/organization?limit=100")).body;
  const builtIn = list.items.find(({ name }) => name === "Assistant");
  expect(list.items.map(({ name }) => name)).toContain("Company rules");
  expect(
    (await server.ask("PATCH", `/${agent.id}`, { body: { name: "Mine" } })).body.code,
  ).toBe("agent_read_only");
  expect(
    (
      await server.ask("PATCH", `/${agent.id}`, {
        body: { name: "Better rules" },
        token: server.parlance.token,
      })
    ).body.name,
  ).toBe("Better rules");
  expect(
    (
      await server.ask("PATCH", `/${builtIn?.id}`, {
        body: { name: "Mine" },
        token: server.parlance.token,
      })
    ).body.code,
  ).toBe("agent_read_only");
  expect(
    (await server.ask("DELETE", `/${builtIn?.id}`, { token: server.parlance.token }))
      .status,
  ).toBe(403);
  expect((await server.talk({ agentId: builtIn?.id })).status).toBe(200);
});

test("a shared agent can be used, changed by an editor, and deleted only by its owner", async () => {
  const agent = await server.make();
  const bobId = (
    (await (
      await server.parlance.request("/api/v1/auth/me", { token: server.bob })
    ).json()) as AgentBody
  ).id;
  const share = (accessRole: string) =>
    server.parlance.request("/api/v1/sharing/share", {
      token: server.ada,
      body: {
        resourceType: "agent",
        resourceId: agent.id,
        shares: [{ subjectType: "user", subjectId: bobId, accessRole }],
      },
    });
  expect((await share("viewer")).status).toBe(201);
  expect((await server.talk({ agentId: agent.id }, server.bob)).status).toBe(200);
  expect(
    (
      await server.ask("PATCH", `/${agent.id}`, {
        body: { name: "Bob's" },
        token: server.bob,
      })
    ).status,
  ).toBe(403);
  await share("editor");
  expect(
    (
      await server.ask("PATCH", `/${agent.id}`, {
        body: { name: "Bob's" },
        token: server.bob,
      })
    ).body.name,
  ).toBe("Bob's");
  expect((await server.ask("DELETE", `/${agent.id}`, { token: server.bob })).status).toBe(
    403,
  );
});

test("a list narrows to own agents, shared ones, those of the organisation, or a folder, and says what one may do", async () => {
  const newcomer = await newPerson(server.parlance, "lists-agents");
  const asNewcomer = { token: newcomer.token };
  const folder = await server.ask("POST", "/folders", {
    body: { name: "Sorted" },
    ...asNewcomer,
  });
  await server.make({ name: "Lying loose" }, newcomer.token);
  await server.make({ name: "Sorted in", folderId: folder.body.id }, newcomer.token);
  const shared = await server.make({ name: "From Ada" });
  await server.parlance.request("/api/v1/sharing/share", {
    token: server.ada,
    body: {
      resourceType: "agent",
      resourceId: shared.id,
      shares: [{ subjectType: "user", subjectId: newcomer.id, accessRole: "editor" }],
    },
  });
  const names = async (query: string) => {
    const { items } = (await server.ask("GET", `?limit=100&${query}`, asNewcomer)).body;
    return items.map(({ name }) => name);
  };
  expect(await names("")).toEqual(["Sorted in", "Lying loose"]);
  expect(await names(`folderId=${folder.body.id}`)).toEqual(["Sorted in"]);
  expect(await names("folderId=none")).toEqual(["Lying loose"]);
  expect(await names("scope=shared")).toEqual(["From Ada"]);
  expect(await names("scope=organization")).toContain("Assistant");
  expect(await names("scope=all&query=ada")).toEqual(["From Ada"]);
  const { items } = (await server.ask("GET", "?scope=shared", asNewcomer)).body;
  expect(items).toMatchObject([{ role: "editor", ownerName: "ada" }]);
  const tree = (await server.ask("GET", "/tree?agents=none", asNewcomer)).body;
  expect(tree).toMatchObject({ folders: [{ name: "Sorted", agents: [] }], agents: [] });
});
