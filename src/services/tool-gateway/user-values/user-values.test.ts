import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import {
  entry,
  gatewaysForTests,
  namesOf,
  run,
  say,
} from "../../../../test/support/gateways.ts";
import { OWN_LEASES } from "../../../../test/support/memory-sign-ins.ts";
import { startToolServer } from "../../../../test/support/tool-server.ts";
import { memoryCache } from "../../../platform/cache/memory.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import type { Gateway } from "../gateway.ts";
import { disconnectAccount, listConnections } from "../sign-in/connections.ts";
import { ownAddresses } from "../sign-in/find-client.ts";
import { fillValues } from "./fill-values.ts";

const gateways = gatewaysForTests();
const HEADERS = {
  authorization: "Bearer {{secret.key}}",
  "x-user": "{{user.id}} {{user.email}}",
  "x-tenant": "acme",
};

function depsOf(gateway: Gateway) {
  const { store, values, reach } = gateways.signIns;
  return {
    gateway,
    store,
    values,
    reach,
    cache: memoryCache(),
    leases: OWN_LEASES,
    log: silentLog(),
    own: ownAddresses("https://parlance.example"),
    announce: (name: string) => gateway.signedIn(name),
  };
}

/** A gateway before a server that refuses every key that does not begin with "good". */
async function openGateway(
  headers: Record<string, string> = HEADERS,
  unknownSession?: 404,
) {
  const tools = await startToolServer(
    { look: say("seen") },
    unknownSession ? { unknownSession } : {},
  );
  const gate = createServer((incoming, outgoing) => {
    const { authorization = "" } = incoming.headers;
    if (authorization !== "" && !authorization.startsWith("Bearer good")) {
      outgoing.writeHead(401).end();
      return;
    }
    const target = new URL(incoming.url ?? "", tools.url);
    const { method = "GET", headers: given } = incoming;
    const upstream = httpRequest(target, { method, headers: given }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    upstream.on("error", () => outgoing.destroy());
    outgoing.on("close", () => upstream.destroy());
    incoming.pipe(upstream);
  });
  await new Promise<void>((resolve) => gate.listen(0, "127.0.0.1", resolve));
  const { port } = gate.address() as AddressInfo; // a TCP server has a port
  const server = { url: `http://127.0.0.1:${port}/mcp` };
  const gateway = gateways.open();
  await gateway.configure([entry("keyed", server, { headers })]);
  const deps = depsOf(gateway);
  return {
    tools,
    gateway,
    deps,
    fill: (userId: string, values: Record<string, string>, lists = false) =>
      fillValues(deps, { server: "keyed", userId, values, lists }),
    shown: async (userId: string) =>
      (await listConnections(deps, userId, { page: 1, limit: 10 })).items,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      gate.closeAllConnections();
      gate.close();
      await tools[Symbol.asyncDispose]();
    },
  };
}

const NEEDED = { code: "tool_sign_in_needed", params: { server: "keyed" } };

test("the list of tools is read with the values of an administrator, and calls go with each user's", async () => {
  await using one = await openGateway();
  expect(one.gateway.sessions()[0]).toMatchObject({
    state: "signed-out",
    failure: { code: "tool_server_sign_in_values" },
  });
  expect(one.tools.headers).toEqual([]);
  await one.fill("admin", { key: "good-admin" }, true);
  expect(namesOf(one.gateway)).toEqual(["look"]);
  await one.fill("ada", { key: "good-ada" });
  await one.fill("ben", { key: "good-ben" });
  for (const user of ["ada", "ben"]) {
    const before = one.tools.headers.length;
    expect(await run(one.gateway, "look", {}, user)).toBe("seen");
    const sent = one.tools.headers.slice(before);
    expect(sent.length).toBeGreaterThan(0);
    for (const headers of sent)
      expect(headers).toMatchObject({
        authorization: `Bearer good-${user}`,
        "x-user": `${user} ${user}@acme.example`,
        "x-tenant": "acme",
      });
  }
});

test("a session of a user has their values, and nobody else's", async () => {
  await using one = await openGateway(HEADERS, 404);
  await one.fill("admin", { key: "good-admin" }, true);
  await one.fill("ada", { key: "good-ada" });
  await one.fill("ben", { key: "good-ben" });
  for (const user of ["ada", "ben", "ada"]) await run(one.gateway, "look", {}, user);
  const bySession = new Map<string, Set<string>>();
  for (const { "mcp-session-id": session, authorization } of one.tools.headers)
    if (typeof session === "string")
      bySession.set(
        session,
        (bySession.get(session) ?? new Set()).add(String(authorization)),
      );
  expect([...bySession.values()].map((keys) => [...keys]).toSorted()).toEqual([
    ["Bearer good-ada"],
    ["Bearer good-admin"],
    ["Bearer good-ben"],
  ]);
});

test("who has filled in nothing is asked, and nothing is sent", async () => {
  await using one = await openGateway();
  await one.fill("admin", { key: "good-admin" }, true);
  const before = one.tools.headers.length;
  for (const user of ["ada", undefined])
    await expect(run(one.gateway, "look", {}, user)).rejects.toMatchObject(NEEDED);
  expect(one.tools.headers).toHaveLength(before);
  const [shown] = await one.shown("ada");
  expect(shown).toMatchObject({ state: "none", values: [{ name: "key", isSet: false }] });
});

test("a key that the server refuses is asked for again, and what is kept is not shown", async () => {
  await using one = await openGateway();
  await one.fill("admin", { key: "good-admin" }, true);
  await one.fill("ada", { key: "wrong" });
  await expect(run(one.gateway, "look", {}, "ada")).rejects.toMatchObject(NEEDED);
  await one.fill("ada", { key: "good-now" });
  expect(await run(one.gateway, "look", {}, "ada")).toBe("seen");
  const shown = await one.shown("ada");
  expect(shown).toMatchObject([
    { state: "connected", values: [{ name: "key", isSet: true }] },
  ]);
  expect(JSON.stringify(shown)).not.toContain("good");
});

test("values go to the address alone that they were filled in for", async () => {
  await using one = await openGateway();
  await one.fill("admin", { key: "good-admin" }, true);
  await using other = await openGateway();
  expect(other.gateway.sessions()[0]?.state).toBe("signed-out");
  await other.fill("admin", { key: "good-other" }, true);
  await expect(run(other.gateway, "look", {}, "ada")).rejects.toMatchObject(NEEDED);
  for (const { authorization } of other.tools.headers)
    expect(authorization).toBe("Bearer good-other");
});

test("a part of the values may change, and a value that nothing asks for is refused", async () => {
  const headers = { "x-a": "{{secret.a}}", "x-b": "{{secret.b}}" };
  await using one = await openGateway(headers);
  await one.fill("admin", { a: "1", b: "2" }, true);
  await one.fill("admin", { b: "3" });
  await run(one.gateway, "look", {}, "admin");
  expect(one.tools.headers.at(-1)).toMatchObject({ "x-a": "1", "x-b": "3" });
  await expect(one.fill("admin", { c: "4" })).rejects.toMatchObject({
    code: "tool_values_unknown",
  });
});

test("whose rights ended no longer reads the list of tools", async () => {
  await using one = await openGateway();
  await one.fill("admin", { key: "good-admin" }, true);
  gateways.signIns.demoted.add("admin");
  await one.gateway.signedIn("keyed");
  expect(one.gateway.sessions()[0]?.state).toBe("signed-out");
});

test("disconnecting, and the end of a user, forget what was filled in", async () => {
  await using one = await openGateway();
  await one.fill("admin", { key: "good-admin" }, true);
  await one.fill("ada", { key: "good-ada" });
  await gateways.signIns.forget("ada");
  await expect(run(one.gateway, "look", {}, "ada")).rejects.toMatchObject(NEEDED);
  await disconnectAccount(one.deps, { server: "keyed", userId: "admin" });
  expect(one.gateway.sessions()[0]?.state).toBe("signed-out");
  expect(await gateways.signIns.values.find("keyed", "admin")).toBeUndefined();
});

test("headers that only say who asks need no values of the user", async () => {
  await using one = await openGateway({ "x-user": "{{user.id}}" });
  await one.fill("admin", {}, true);
  expect(await run(one.gateway, "look", {}, "ada")).toBe("seen");
  expect(one.tools.headers.at(-1)).toMatchObject({ "x-user": "ada" });
  expect(await one.shown("ada")).toEqual([]);
});
