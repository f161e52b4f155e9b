import { expect, test } from "vitest";
import type { Caller } from "../../platform/http/caller.ts";
import type { Guard } from "../../platform/http/guard.ts";
import { silentLog } from "../../platform/telemetry/log.ts";
import type { ListedTool } from "./contract.ts";
import { permittedTools } from "./permitted-tools.ts";
import { fitsTemplate, RemoteContent } from "./remote-content.ts";
import { RemoteError } from "./remote-error.ts";
import type { Session } from "./session.ts";
import type { Ask } from "./questions.ts";

function aSession(name: string, answer: (ask: Ask) => unknown, capabilities: object) {
  const asked: Ask[] = [];
  const session: Pick<Session, "server" | "capabilities" | "ask"> = {
    server: { name, url: "http://x.test", enabled: true },
    capabilities,
    async ask(ask) {
      asked.push(ask);
      return answer(ask);
    },
  };
  return { asked, session: session as Session }; // the rest of a session is not used
}

const pages =
  (...all: object[][]) =>
  ({ params: { cursor = "0" } }: Ask) => ({
    prompts: all[Number(cursor)],
    nextCursor: Number(cursor) + 1 < all.length ? String(Number(cursor) + 1) : null,
  });

test("prompts of all servers are listed page by page, told apart, without wrong entries", async () => {
  const one = aSession("one", pages([{ name: "plan" }, { nameless: 1 }], [{ name: "b" }]), {
    prompts: {},
  });
  const two = aSession("two", pages([{ name: "plan", title: 7 }]), { prompts: {} });
  const content = new RemoteContent(silentLog());
  const list = await content.list("prompts", [one.session, two.session]);
  expect(list.map(({ item, theirName }) => [item.name, theirName])).toEqual([
    ["plan", "plan"],
    ["b", "b"],
    ["two__plan", "plan"],
  ]);
  await content.list("prompts", [one.session]);
  expect(one.asked).toHaveLength(2); // kept for a while
});

test("an address belongs to the first server that has it", async () => {
  const answer = () => ({ resources: [{ name: "r", uri: "test://same" }] });
  const one = aSession("one", answer, { resources: {} });
  const two = aSession("two", answer, { resources: {} });
  const list = await new RemoteContent(silentLog()).list("resources", [
    one.session,
    two.session,
  ]);
  expect(list.map(({ session }) => session.server.name)).toEqual(["one"]);
});

test("a list without an end is read for a bounded number of pages", async () => {
  let page = 0;
  const endless = aSession(
    "endless",
    () => ({ prompts: [{ name: `p${page}` }], nextCursor: `${(page += 1)}` }),
    { prompts: {} },
  );
  const list = await new RemoteContent(silentLog()).list("prompts", [endless.session]);
  expect(list.length).toBeLessThanOrEqual(20);
});

test("a server that says it has none is not asked, and one that refuses has none", async () => {
  const none = aSession("none", () => ({}), { tools: {} });
  const refusing = aSession(
    "refusing",
    () => {
      throw new RemoteError({ code: -32601, message: "no such method" });
    },
    { resources: {} },
  );
  const sessions = [none.session, refusing.session];
  expect(await new RemoteContent(silentLog()).list("templates", sessions)).toEqual([]);
  expect(none.asked).toEqual([]);
});

test.each([
  ["test://template/{id}/data", "test://template/7/data", true],
  ["test://template/{id}/data", "test://template/7/other", false],
  ["file:///{+path}", "file:///a/b/c", true],
  ["{a}", "anything", true],
  ["test://fixed", "test://fixed", true],
  ["test://fixed", "test://fixed/more", false],
  ["a{x}a", "a", false],
])("the template %s of %s: %s", (template, uri, fits) => {
  expect(fitsTemplate(template, uri)).toBe(fits);
});

test("who may run no tool of a server reads nothing of it", async () => {
  const tool = (name: string, server: string) =>
    ({ name, server, effect: "read_only" }) as ListedTool;
  const tools = [tool("mine", "one"), tool("theirs", "two")];
  const guard = {
    allows: async (_: string, __: Caller, fields: { tool?: string }) =>
      fields.tool === "mine",
  } as unknown as Guard; // one rule
  const bob = { kind: "user", userId: "bob" } as Caller;
  const reads = await permittedTools(guard, bob).servers(tools);
  expect(["one", "two", "without-tools"].map(reads)).toEqual([true, false, false]);
});
