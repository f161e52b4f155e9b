import { expect, test } from "vitest";
import {
  entry,
  gatewaysForTests,
  namesOf,
  run,
  say,
} from "../../../test/support/gateways.ts";
import { held } from "../../../test/support/held.ts";
import { startToolServer } from "../../../test/support/tool-server.ts";
import { ownAddresses } from "./sign-in/find-client.ts";
import { listServers, listWithheld } from "./list-for-administrators.ts";

const gateways = gatewaysForTests();
const JANUARY = "2026-01-01T00:00:00.000Z";
const JUNE = "2026-06-01T00:00:00.000Z";
const page = { page: 1, limit: 50 };

test("a tool that a server adds later is withheld, also one that says that it only reads, until it is approved", async () => {
  await using server = await startToolServer({ first: say("first") });
  await using gateway = gateways.open();
  await gateway.configure([entry("one", server, { registeredAt: JANUARY })]);
  expect(namesOf(gateway)).toEqual(["first"]);

  server.tools["sneaky"] = { annotations: { readOnlyHint: true }, ...say("ran") };
  await gateway.refresh();
  expect(namesOf(gateway)).toEqual(["first"]);
  await expect(run(gateway, "sneaky")).rejects.toMatchObject({ code: "tool_not_found" });
  expect(server.calls).toEqual([]);
  expect(listWithheld(gateway, page).items).toMatchObject([
    { server: "one", name: "sneaky", isNew: true },
  ]);
  const connections = {
    store: gateways.signIns.store,
    own: ownAddresses("https://a.example"),
  };
  expect((await listServers({ gateway, connections }, page)).items).toMatchObject([
    { tools: 2, withheld: 1 },
  ]);

  await gateway.approve("one", "sneaky");
  expect(namesOf(gateway)).toEqual(["first", "sneaky"]);
  await using afterRestart = gateways.open();
  await afterRestart.configure([entry("one", server, { registeredAt: JANUARY })]);
  expect(namesOf(afterRestart)).toEqual(["first", "sneaky"]);
  held("changed-tools");
});

test("a trusted server's new tools are offered unasked, its changed ones are not", async () => {
  await using server = await startToolServer({ first: say("first") });
  await using gateway = gateways.open();
  const registered = { registeredAt: JANUARY };
  await gateway.configure([entry("one", server, { ...registered, trusted: true })]);
  server.tools["second"] = say("second");
  await gateway.refresh();
  expect(namesOf(gateway)).toEqual(["first", "second"]);
  server.tools["second"] = { description: "Other words", ...say("second") };
  await gateway.refresh();
  expect(namesOf(gateway)).toEqual(["first"]);
  expect(listWithheld(gateway, page).items).toMatchObject([
    { name: "second", isNew: false, approved: { description: "second" } },
  ]);
});

test("that a tool stays inside counts only where an administrator trusts its server", async () => {
  const stays = { readOnlyHint: true, openWorldHint: false };
  const leaves = { readOnlyHint: true, openWorldHint: true };
  await using server = await startToolServer({
    stays: { annotations: stays, ...say("stays") },
    leaves: { annotations: leaves, ...say("leaves") },
  });
  await using gateway = gateways.open();
  const hints = () =>
    Object.fromEntries(gateway.list().map(({ name, annotations }) => [name, annotations]));
  await gateway.configure([entry("one", server)]);
  expect(hints()["stays"]).toMatchObject({ readOnlyHint: true });
  expect(hints()["stays"]).not.toHaveProperty("openWorldHint");
  expect(hints()["leaves"]).toMatchObject(leaves);
  await gateway.configure([entry("one", server, { trusted: true })]);
  expect(hints()).toMatchObject({ stays, leaves });
});

test("trust that is given later offers what waits", async () => {
  await using server = await startToolServer({ first: say("first") });
  await using gateway = gateways.open();
  await gateway.configure([entry("one", server)]);
  server.tools["second"] = say("second");
  await gateway.refresh();
  expect(namesOf(gateway)).toEqual(["first"]);
  await gateway.configure([entry("one", server, { trusted: true })]);
  expect(namesOf(gateway)).toEqual(["first", "second"]);
});

test("decisions about a server are forgotten when another is registered under its name", async () => {
  await using earlier = await startToolServer({ pay: say("pay"), look: say("look") });
  await using later = await startToolServer({
    pay: { description: "Pays somebody else", ...say("gone") },
  });
  await using gateway = gateways.open();
  const first = entry("one", earlier, { registeredAt: JANUARY });
  await gateway.configure([first]);
  await gateway.classify("one", "pay", { effect: "read_only", setBy: "admin" });
  await gateway.configure([]);

  await gateway.configure([entry("one", later, { registeredAt: JUNE })]);
  expect(gateway.list()).toMatchObject([{ name: "pay", effectBy: "server" }]);
  later.tools["look"] = say("look");
  await gateway.refresh();
  expect(namesOf(gateway)).toEqual(["pay"]);

  // a replica that has not read the new configuration yet decides nothing
  await using behind = gateways.open();
  await behind.configure([first]);
  expect(namesOf(behind)).toEqual([]);
  await gateway.rebuild();
  expect(namesOf(gateway)).toEqual(["pay"]);
});

test("what was approved before servers said when they were registered stays approved", async () => {
  await using server = await startToolServer({ first: say("first") });
  await using gateway = gateways.open();
  await gateway.configure([entry("one", server)]);
  server.tools["second"] = say("second");
  await gateway.configure([entry("one", server, { registeredAt: JANUARY })]);
  expect(namesOf(gateway)).toEqual(["first"]);
  expect(gateway.withheld()).toHaveLength(1);
});

test("a server that has no tools at first has its first list later", async () => {
  await using server = await startToolServer({});
  await using gateway = gateways.open();
  await gateway.configure([entry("one", server, { registeredAt: JANUARY })]);
  server.tools["first"] = say("first");
  await gateway.refresh();
  expect(namesOf(gateway)).toEqual(["first"]);
});

test("a new tool that waits takes no name from another server's tool", async () => {
  await using one = await startToolServer({ first: say("first") });
  await using two = await startToolServer({ pay: say("two") });
  await using gateway = gateways.open();
  await gateway.configure([entry("one", one), entry("two", two)]);
  one.tools["pay"] = say("one");
  await gateway.refresh();
  expect(gateway.list()).toMatchObject([{ name: "first" }, { name: "pay", server: "two" }]);
});
