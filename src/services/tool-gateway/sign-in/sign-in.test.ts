import { expect, test, vi } from "vitest";
import {
  entry,
  gatewaysForTests,
  namesOf,
  run,
} from "../../../../test/support/gateways.ts";
import { agree } from "../../../../test/support/memory-sign-ins.ts";
import { openProtectedGateway } from "../../../../test/support/protected-gateway.ts";
import type { Gateway } from "../gateway.ts";
import {
  completeConnection,
  connectAccount,
  disconnectAccount,
  listConnections,
} from "./connections.ts";

const gateways = gatewaysForTests();
const openProtected = (options = {}) => openProtectedGateway(gateways, options);
const signal = new AbortController().signal;

const of = (userId: string) => ({ userId, mayList: true });
const stateOf = (gateway: Gateway) => gateway.sessions()[0];

test("a server says that it wants a sign-in, and lists its tools once an administrator connected it", async () => {
  await using one = await openProtected();
  expect(stateOf(one.gateway)).toMatchObject({
    state: "signed-out",
    failure: { code: "tool_server_sign_in" },
  });
  await one.connect("admin", true);
  expect(stateOf(one.gateway)?.state).toBe("ready");
  expect(namesOf(one.gateway)).toEqual(["look"]);
  expect(one.server.asked).toEqual(["read"]);
});

test("each user's calls go with their own account, and nobody's with another's", async () => {
  await using one = await openProtected();
  await one.connect("admin", true);
  for (const caller of ["ada", undefined])
    await expect(run(one.gateway, "look", {}, caller)).rejects.toMatchObject({
      code: "tool_sign_in_needed",
      params: { server: "safe" },
    });
  expect(one.server.used).toEqual([]);
  await one.connect("ada");
  await one.connect("ben");
  for (const caller of ["ada", "ben", "ada"])
    expect(await run(one.gateway, "look", {}, caller)).toBe("seen");
  const [first, second, third] = one.server.used;
  expect(first).toBe(third);
  expect(second).not.toBe(first);
  expect(one.server.registrations).toBe(1);
});

test("a token is renewed once, however many calls need it on two replicas", async () => {
  await using one = await openProtected({ lifetime: 1 });
  await one.connect("admin", true);
  await one.connect("ada");
  await using other = gateways.open();
  await other.configure([entry("safe", one.server)]);
  await vi.waitFor(() => expect(namesOf(other)).toEqual(["look"]), 30_000);
  const { store } = gateways.signIns;
  const real = store.renew;
  // what is renewed is good for longer, so that one renewal is enough
  const renew = vi
    .spyOn(store, "renew")
    .mockImplementation((of, grant) => real(of, grant, undefined));
  const calls = [one.gateway, other].flatMap((gateway) =>
    Array.from({ length: 5 }, () => run(gateway, "look", {}, "ada")),
  );
  expect(await Promise.all(calls)).toEqual(Array(10).fill("seen"));
  const ofAda = renew.mock.calls.filter(([{ userId }]) => userId === "ada");
  renew.mockRestore();
  expect(ofAda).toHaveLength(1);
});

test("a token that its server ended is renewed, and where that fails the user connects again", async () => {
  await using one = await openProtected();
  await one.connect("admin", true);
  await one.connect("ada");
  one.server.revokeAll();
  expect(await run(one.gateway, "look", {}, "ada")).toBe("seen");
  const found = await gateways.signIns.store.find("safe", "ada");
  if (!found?.grant) throw new Error("ada is not connected");
  const grant = { ...found.grant, refreshToken: "gone" };
  await gateways.signIns.store.renew(found, grant, undefined);
  one.server.revokeAll();
  await expect(run(one.gateway, "look", {}, "ada")).rejects.toMatchObject({
    code: "tool_sign_in_needed",
  });
  const { items } = await listConnections(one.deps, "ada", { page: 1, limit: 10 });
  expect(items).toMatchObject([{ server: "safe", state: "expired" }]);
});

test("what was read before a new sign-in neither ends nor replaces its tokens", async () => {
  await using one = await openProtected();
  await one.connect("ada");
  const { store } = gateways.signIns;
  const old = await store.find("safe", "ada");
  if (!old?.grant) throw new Error("ada is not connected");
  await one.connect("ada");
  const current = await store.find("safe", "ada");
  await store.expire(old);
  expect(await store.renew(old, old.grant, undefined)).toBeUndefined();
  expect(await store.find("safe", "ada")).toEqual(current);
});

test("a renewal that a new sign-in overtook ends its tokens, and the call goes with the new ones", async () => {
  await using one = await openProtected();
  await one.connect("admin", true);
  await one.connect("ada");
  const { store } = gateways.signIns;
  const real = store.renew;
  const renew = vi.spyOn(store, "renew").mockImplementationOnce(async (...of) => {
    await one.connect("ada");
    return real(...of);
  });
  one.server.revokeAll();
  expect(await run(one.gateway, "look", {}, "ada")).toBe("seen");
  renew.mockRestore();
  expect(one.server.revoked).toHaveLength(1);
  const { grant } = (await store.find("safe", "ada")) ?? {};
  expect(one.server.used).toEqual([grant?.accessToken]);
  expect(one.server.revoked).not.toEqual([grant?.refreshToken]);
});

test("tokens that were renewed for another address meanwhile do not go to this one", async () => {
  await using one = await openProtected({ lifetime: 1 });
  await one.connect("admin", true);
  await one.connect("ada");
  const { store } = gateways.signIns;
  const real = store.find;
  const ofAda = await real("safe", "ada");
  if (!ofAda?.grant) throw new Error("ada is not connected");
  const grant = { ...ofAda.grant, accessToken: "of-another" };
  let asked = 0;
  const find = vi.spyOn(store, "find").mockImplementation(async (server, userId) => {
    const found = await real(server, userId);
    if (!found || userId !== "ada") return found;
    asked += 1;
    return asked === 1 ? found : { ...found, grant, url: "https://other.example/mcp" };
  });
  await expect(run(one.gateway, "look", {}, "ada")).rejects.toMatchObject({
    code: "tool_sign_in_needed",
  });
  find.mockRestore();
  expect(one.server.used).toEqual([]);
  expect(one.server.sent).not.toContain("of-another");
});

test("disconnecting waits for a renewal, and ends the tokens that it brought", async () => {
  await using one = await openProtected();
  await one.connect("admin", true);
  await one.connect("ada");
  const { store } = gateways.signIns;
  const real = store.renew;
  let disconnected: Promise<void> | undefined;
  const renew = vi.spyOn(store, "renew").mockImplementationOnce((...of) => {
    disconnected = disconnectAccount(one.deps, { server: "safe", userId: "ada" });
    return real(...of);
  });
  one.server.revokeAll();
  expect(await run(one.gateway, "look", {}, "ada")).toBe("seen");
  await disconnected;
  renew.mockRestore();
  expect(await store.find("safe", "ada")).toBeUndefined();
  expect(one.server.revoked).toHaveLength(1);
  expect(one.server.used).toHaveLength(1);
});

test("only the user who began a sign-in can end it, and only once", async () => {
  await using one = await openProtected();
  const { url } = await connectAccount(
    one.deps,
    { server: "safe", userId: "mallory", lists: false },
    signal,
  );
  const answer = await agree(url);
  await expect(
    completeConnection(one.deps, of("victim"), answer, signal),
  ).rejects.toMatchObject({ code: "tool_sign_in_unknown_state" });
  await completeConnection(one.deps, of("mallory"), answer, signal);
  await expect(
    completeConnection(one.deps, of("mallory"), answer, signal),
  ).rejects.toMatchObject({ code: "tool_sign_in_unknown_state" });
});

test.each([
  ["another issuer", "https://evil.example", "tool_sign_in_wrong_issuer"],
  ["no issuer where one was promised", null, "tool_sign_in_wrong_issuer"],
])("an answer of %s is refused before its code is used", async (_, iss, code) => {
  await using one = await openProtected();
  one.server.iss = iss;
  await expect(one.connect("ada")).rejects.toMatchObject({ code });
  expect(one.server.grants).toEqual({});
});

test("the metadata of another resource is refused before anybody is sent there", async () => {
  await using one = await openProtected();
  one.server.resource = "https://evil.example/mcp";
  await expect(one.connect("ada")).rejects.toMatchObject({ code: "tool_sign_in_mismatch" });
  expect(one.server.registrations).toBe(0);
});

test("a call that needs more rights asks for them, beside those that there are, and not for ever", async () => {
  await using one = await openProtected();
  await one.connect("admin", true);
  await one.connect("ada");
  one.server.needs = "write";
  const call = () => run(one.gateway, "look", {}, "ada");
  await expect(call()).rejects.toMatchObject({ code: "tool_sign_in_needed" });
  const { items } = await listConnections(one.deps, "ada", { page: 1, limit: 10 });
  expect(items).toMatchObject([{ state: "incomplete", wantedScopes: ["write"] }]);
  await one.connect("ada");
  expect(one.server.asked.at(-1)?.split(" ").toSorted()).toEqual(["read", "write"]);
  expect(await call()).toBe("seen");
  for (const more of ["a", "b"]) {
    one.server.needs = more;
    await expect(call()).rejects.toMatchObject({ code: "tool_sign_in_needed" });
    await one.connect("ada");
  }
  one.server.needs = "c";
  await expect(call()).rejects.toMatchObject({ code: "tool_server_refused" });
});

test("disconnecting forgets the tokens here and ends them there", async () => {
  await using one = await openProtected();
  await one.connect("admin", true);
  await one.connect("ada");
  await disconnectAccount(one.deps, { server: "safe", userId: "ada" });
  expect(one.server.revoked).toHaveLength(1);
  await expect(run(one.gateway, "look", {}, "ada")).rejects.toMatchObject({
    code: "tool_sign_in_needed",
  });
  await disconnectAccount(one.deps, { server: "safe", userId: "admin" });
  expect(stateOf(one.gateway)?.state).toBe("signed-out");
});

test("tokens go to the address alone that they were asked for", async () => {
  await using one = await openProtected();
  await one.connect("admin", true);
  await using other = await openProtected();
  await using gateway = gateways.open();
  await gateway.configure([entry("safe", other.server)]);
  expect(stateOf(gateway)?.state).toBe("signed-out");
});

test("a server with a key of its own wants no sign-in", async () => {
  await using one = await openProtected();
  await using gateway = gateways.open();
  const headers = { Authorization: "Bearer wrong" };
  await gateway.configure([entry("safe", one.server, { headers })]);
  expect(stateOf(gateway)).toMatchObject({
    state: "down",
    failure: { code: "tool_server_status" },
  });
});
