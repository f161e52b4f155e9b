import { expect, test, vi } from "vitest";
import {
  entry,
  gatewaysForTests,
  namesOf,
  run,
} from "../../../../test/support/gateways.ts";
import { agree } from "../../../../test/support/memory-sign-ins.ts";
import { openProtectedGateway, TIDES } from "../../../../test/support/protected-gateway.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { openEndpoints } from "../../../platform/outgoing/open-endpoints.ts";
import { joinScopes } from "./challenge.ts";
import { completeConnection, connectAccount } from "./connections.ts";
import { metadataDocument, ownAddresses } from "./find-client.ts";
import { addressesIn, checkEncrypted } from "./reach.ts";

/** What a tool server, or its authorization server, might misuse. */

const gateways = gatewaysForTests();
const { signal } = new AbortController();
const ada = { userId: "ada", mayList: true };
const begin = { server: "safe", userId: "ada", lists: false };

test("a code of one authorization server never goes to another, though neither says who it is", async () => {
  await using honest = await openProtectedGateway(gateways);
  await using evil = await openProtectedGateway(gateways);
  for (const { server } of [honest, evil])
    Object.assign(server, { iss: null, sendsIssuer: false });
  const there = await connectAccount(evil.deps, begin, signal);
  const sent = new URL(there.url).searchParams;
  // the evil server sends the browser on to the honest one, in its own name
  const onward = new URL((await connectAccount(honest.deps, begin, signal)).url);
  for (const name of ["state", "code_challenge"])
    onward.searchParams.set(name, sent.get(name) ?? "");
  const answer = await agree(onward.href);
  expect(answer).toMatchObject({ state: sent.get("state"), code: expect.any(String) });
  await expect(completeConnection(evil.deps, ada, answer, signal)).rejects.toMatchObject({
    code: "tool_sign_in_wrong_issuer",
  });
  expect([evil.server.grants, honest.server.grants]).toEqual([{}, {}]);
  expect(await honest.connect("ada")).toEqual({ server: "safe" });
});

test("each issuer reads a document of its own, which names its own address alone", () => {
  const own = ownAddresses("https://parlance.example");
  const { metadataUrl, redirectUri } = own.at("https://one.example");
  expect(redirectUri).not.toBe(own.at("https://two.example").redirectUri);
  const key = metadataUrl.split("/").at(-1);
  expect(metadataDocument(own.publicUrl, key)).toMatchObject({
    client_id: metadataUrl,
    redirect_uris: [redirectUri],
  });
});

test("a client secret stays with the first issuer that its server named, until an administrator enters another", async () => {
  const oauth = { clientId: "ours", clientSecret: "secret" };
  await using one = await openProtectedGateway(gateways, { oauth });
  await using other = await openProtectedGateway(gateways);
  await one.connect("ada");
  one.server.authorizationServer = other.server.issuer;
  await expect(one.connect("ben")).rejects.toMatchObject({
    code: "tool_sign_in_other_issuer",
    params: { issuer: one.server.issuer },
  });
  expect(other.server.grants).toEqual({});
  const { issuer } = other.server;
  await one.gateway.configure([entry("safe", one.server, { oauth: { ...oauth, issuer } })]);
  await one.connect("ben");
  expect(other.server.grants).toEqual({ authorization_code: 1 });
});

test("a server cannot have private addresses asked that were allowed for others", async () => {
  let allowed: string[] = [];
  await using endpoints = openEndpoints({
    allow: [],
    own: () => [],
    read: async () => allowed,
    log: silentLog(),
  });
  const reach = (named: Parameters<typeof addressesIn>[0]) =>
    endpoints.only(addressesIn(named));
  await using one = await openProtectedGateway(gateways, { reach });
  await using other = await openProtectedGateway(gateways);
  allowed = [one.server, other.server].map(({ url }) => new URL(url).host);
  await endpoints.refresh();
  await one.connect("ada");
  const before = other.server.paths.length;
  one.server.authorizationServer = other.server.issuer;
  await expect(one.connect("ada")).rejects.toMatchObject({ code: "address_not_allowed" });
  expect(other.server.paths).toHaveLength(before);
  allowed = [];
  await endpoints.refresh();
  one.server.authorizationServer = undefined;
  await expect(one.connect("ada")).rejects.toMatchObject({ code: "address_not_allowed" });
});

test.each([
  ["https://auth.example/token", "http://tools.example/mcp", true],
  ["http://tools.example/token", "http://tools.example/mcp", true],
  ["http://127.0.0.1:1/token", "http://localhost:2/mcp", true],
  ["http://auth.example/token", "http://tools.example/mcp", false],
  ["http://127.0.0.1:1/token", "http://tools.example/mcp", false],
  ["http://tools.example/token", "https://tools.example/mcp", false],
  ["http://127.0.0.1.evil.example/token", "http://127.0.0.1:1/mcp", false],
  ["ftp://tools.example/token", "http://tools.example/mcp", false],
])("%s is asked for %s: %s", (address, server, isAsked) => {
  const check = () => checkEncrypted(address, server);
  if (isAsked) check();
  else expect(check).toThrow(expect.objectContaining({ code: "tool_sign_in_unencrypted" }));
});

test("metadata without https is not asked for", async () => {
  await using one = await openProtectedGateway(gateways);
  one.server.authorizationServer = "http://auth.example";
  await expect(one.connect("ada")).rejects.toMatchObject({
    code: "tool_sign_in_unencrypted",
  });
});

test("what changes at a server with an account for each user is watched with nobody's", async () => {
  await using one = await openProtectedGateway(gateways);
  await one.connect("admin", true);
  const [session] = one.gateway.sessions();
  const stop = session?.watch(TIDES, () => {});
  await session?.refresh();
  await session?.refresh();
  expect(one.tools.subscribed()).toEqual([]);
  stop?.();
});

test("the account that lists counts while its user administers the installation, and no longer", async () => {
  await using one = await openProtectedGateway(gateways);
  await one.connect("admin", true);
  expect(namesOf(one.gateway)).toEqual(["look"]);
  gateways.signIns.demoted.add("admin");
  await expect(one.gateway.sessions()[0]?.refresh()).rejects.toThrow();
  expect(one.gateway.sessions()[0]?.state).toBe("signed-out");
});

test("who may list no longer when the sign-in ends connects an account of their own alone", async () => {
  await using one = await openProtectedGateway(gateways);
  await one.connect("admin", true, false);
  expect(await gateways.signIns.store.findListing("safe")).toBeUndefined();
  expect(await gateways.signIns.store.find("safe", "admin")).toMatchObject({
    lists: false,
  });
});

test("a sign-in that ends after its user was deleted keeps nothing, and ends its tokens", async () => {
  await using one = await openProtectedGateway(gateways);
  one.server.onToken = () => gateways.signIns.forget("ada");
  await expect(one.connect("ada")).rejects.toMatchObject({
    code: "tool_sign_in_unknown_state",
  });
  expect(await gateways.signIns.store.find("safe", "ada")).toBeUndefined();
  expect(one.server.revoked).toHaveLength(1);
});

test("sign-ins that one user begins are limited", async () => {
  await using one = await openProtectedGateway(gateways);
  const cache = { take: vi.fn(async () => ({ allowed: false, retryAfterMs: 1_000 })) };
  const limited = connectAccount({ ...one.deps, cache }, begin, signal);
  await expect(limited).rejects.toMatchObject({ code: "tool_sign_in_limited" });
  expect(cache.take).toHaveBeenCalledWith(expect.anything(), "ada");
  expect(one.server.registrations).toBe(0);
});

test("a server that names another issuer each time fills no table", async () => {
  const { store } = gateways.signIns;
  const client = { id: "ours", method: "none" as const };
  const issuers = Array.from({ length: 12 }, (_, at) => `https://${at}.example`);
  for (const issuer of issuers)
    await store.saveClient("safe", issuer, "https://a.example", {
      client,
      expiresAt: undefined,
    });
  const kept = await Promise.all(
    issuers.map((issuer) => store.findClient("safe", issuer, "https://a.example")),
  );
  expect(kept.filter(Boolean)).toHaveLength(10);
  expect(kept.at(-1)).toEqual(client);
});

test("the rights that a server names have a bound together", () => {
  const long = Array.from({ length: 100 }, (_, at) => `${at}`.padEnd(499, "x"));
  expect(joinScopes(long).join(" ").length).toBeLessThan(4_000);
  expect(joinScopes(["read", "read"], ["write"])).toEqual(["read", "write"]);
});

test("a call goes on with its own account where the listing one does not count any more", async () => {
  await using one = await openProtectedGateway(gateways);
  await one.connect("admin", true);
  await one.connect("ada");
  gateways.signIns.demoted.add("admin");
  expect(await run(one.gateway, "look", {}, "ada")).toBe("seen");
});
