import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { newPerson } from "./support/ask.ts";
import { accountOf, flowServer } from "./support/flow-server.ts";
import { startTestServer } from "./support/server.ts";

let at: Awaited<ReturnType<typeof flowServer>>;
let serial = 0;
beforeAll(async () => {
  at = await flowServer({ USER_SERVICE_SECRET: "user-service-secret-of-the-test" });
});
afterAll(() => at[Symbol.asyncDispose]());
beforeEach(() => {
  Object.assign(at.langflow.counts, {
    users: 0,
    logins: 0,
    refreshes: 0,
    keys: 0,
    runs: 0,
    runsLeft: 0,
  });
  Object.assign(at.langflow.settings, {
    loginsAllowed: Number.POSITIVE_INFINITY,
    failing: undefined,
    delayMs: 0,
    lateMs: 0,
  });
});

const person = () => newPerson(at.parlance, `flows-${(serial += 1)}`);
const tokens = (token: string) => at.integrations("POST", "/flowengine/tokens", { token });
const account = (token: string) =>
  at.integrations("POST", "/flowengine/account", { token });
const record = async (userId: string) =>
  (
    await at.parlance.request(`/api/v1/langflow-users/me?userId=${userId}`, {
      token: null,
      headers: { "x-platform-user-service-secret": "user-service-secret-of-the-test" },
    })
  ).json() as Promise<{ username: string; password: string; apiKey: string }>;
/** Its tokens are invalid, but it still knows all users. */
const expireTokens = () => at.langflow.state.voidTokens();

test("an account is created, activated and given a key once", async () => {
  const anne = await person();
  const first = await account(anne.token);
  expect([first.status, first.body]).toEqual([
    200,
    { provider: "flowengine", username: `parlance-${anne.id}`, created: true },
  ]);
  expect((await account(anne.token)).body).toMatchObject({ created: false });
  expect(at.langflow.counts).toMatchObject({ users: 1, logins: 1, keys: 1 });
  const made = accountOf(at.langflow, anne.id);
  expect(made).toMatchObject({ isActive: true, isSuperuser: false });
  const kept = await record(anne.id);
  expect(kept).toMatchObject({ username: made?.username, password: made?.password });
  expect(
    at.langflow.state.keys.some(
      ({ key, userId }) => key === kept.apiKey && userId === made?.id,
    ),
  ).toBe(true);
  expect(kept.password.length).toBeGreaterThan(40);
});

test("200 concurrent first requests of one user create one account with one sign-in", async () => {
  const anne = await person();
  at.langflow.settings.delayMs = 20;
  const asks = Array.from({ length: 200 }, (_, n) =>
    n % 2 === 0
      ? tokens(anne.token)
      : at.flows("POST", "/tokens/refresh", { token: anne.token }),
  );
  const statuses = new Set((await Promise.all(asks)).map(({ status }) => status));
  expect([...statuses]).toEqual([200]);
  expect(at.langflow.counts).toMatchObject({ users: 1, logins: 1, keys: 1 });
});

test("tokens are never returned; an answer only says when they expire", async () => {
  const anne = await person();
  const { status, body, text } = await tokens(anne.token);
  expect([status, Object.keys(body).sort()]).toEqual([
    200,
    ["ensured", "expiresAt", "provider"],
  ]);
  expect(Date.parse(String(body["expiresAt"]))).toBeGreaterThan(Date.now() + 3_000_000);
  expect(text).not.toContain("eyJ");
});

test("valid tokens are reused, expired ones refreshed, and the user is signed in again if that fails", async () => {
  const anne = await person();
  at.langflow.state.accessSeconds = 1;
  await tokens(anne.token);
  expect(at.langflow.counts).toMatchObject({ logins: 1, refreshes: 0 });
  at.langflow.state.accessSeconds = 3_600;
  await tokens(anne.token);
  await tokens(anne.token);
  expect(at.langflow.counts).toMatchObject({ logins: 1, refreshes: 1 });
  const forced = await at.flows("POST", "/tokens/refresh", { token: anne.token });
  expect([forced.status, forced.body["refreshed"], at.langflow.counts.refreshes]).toEqual([
    200,
    true,
    2,
  ]);
  expireTokens();
  const again = await at.flows("POST", "/tokens/refresh", { token: anne.token });
  expect([again.status, again.body["refreshed"]]).toEqual([200, false]);
  expect(at.langflow.counts).toMatchObject({ users: 1, logins: 2, refreshes: 2 });
});

test("many requests that find expired tokens cause one refresh", async () => {
  const anne = await person();
  at.langflow.state.accessSeconds = 1;
  await tokens(anne.token);
  at.langflow.state.accessSeconds = 3_600;
  at.langflow.settings.delayMs = 20;
  await Promise.all(Array.from({ length: 50 }, () => tokens(anne.token)));
  expect(at.langflow.counts).toMatchObject({ logins: 1, refreshes: 1 });
});

test("a provider whose database was wiped gets the account again with the next request", async () => {
  const anne = await person();
  const lost = await at.newFlow(anne.token);
  const before = await record(anne.id);
  at.langflow.state.wipe();
  expireTokens();
  expect(
    (await at.flows("POST", "/tokens/refresh", { token: anne.token })).body,
  ).toMatchObject({
    refreshed: false,
  });
  const after = await record(anne.id);
  expect(after.apiKey).not.toBe(before.apiKey);
  expect(after.password).not.toBe(before.password);
  expect(accountOf(at.langflow, anne.id)).toMatchObject({
    isActive: true,
    password: after.password,
  });
  expect((await at.run(anne.token, lost)).body).toMatchObject({ code: "flow_not_found" });

  // a second time, detected by the key, by many requests at once
  at.langflow.state.wipe();
  at.langflow.counts.users = 0;
  const made = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      at.flows("POST", "/flows", { token: anne.token, body: { name: `f${n}` } }),
    ),
  );
  expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]));
  expect(at.langflow.counts.users).toBe(1);
  expect(
    (await at.flows("GET", "/flows?limit=100", { token: anne.token })).body.total,
  ).toBe(20);
});

test("a stopped provider answers 503 until it is back, and then works with the same account", async () => {
  const anne = await person();
  const flow = await at.newFlow(anne.token);
  await at.langflow.stop();
  const down = await at.run(anne.token, flow);
  expect([down.status, down.body.code]).toEqual([503, "provider_unavailable"]);
  expect(Number(down.headers.get("retry-after"))).toBeGreaterThan(0);
  const stranger = await person();
  expect((await account(stranger.token)).status).toBe(503);
  await at.langflow.start();
  expect((await at.run(anne.token, flow)).body).toMatchObject({ output: "hello" });
  expect((await account(stranger.token)).body).toMatchObject({ created: true });
  expect((await account(anne.token)).body).toMatchObject({ created: false });
});

test("an earlier incomplete attempt is completed: a user without activation, without a key here", async () => {
  const anne = await person();
  at.langflow.state.addUser(`parlance-${anne.id}`, "of a try that broke off");
  expect((await account(anne.token)).body).toMatchObject({ created: true });
  expect(accountOf(at.langflow, anne.id)).toMatchObject({
    isActive: true,
    password: (await record(anne.id)).password,
  });
});

test("a change at the provider may take effect a moment after its answer", async () => {
  const anne = await person();
  at.langflow.settings.lateMs = 250;
  expect((await account(anne.token)).body).toMatchObject({ created: true });
  expect((await at.run(anne.token, await at.newFlow(anne.token))).body).toMatchObject({
    output: "hello",
  });
  at.langflow.state.wipe();
  expect(
    (await at.flows("POST", "/flows", { token: anne.token, body: { name: "again" } }))
      .status,
  ).toBe(201);
});

test("a superuser with that name is not changed", async () => {
  const anne = await person();
  Object.assign(at.langflow.state.addUser(`parlance-${anne.id}`, "theirs"), {
    isSuperuser: true,
  });
  const refused = await account(anne.token);
  expect([refused.status, refused.body.code]).toEqual([403, "provider_account_taken"]);
  expect(accountOf(at.langflow, anne.id)?.password).toBe("theirs");
});

test("an account that the provider's administrator disabled stays disabled", async () => {
  const anne = await person();
  const flow = await at.newFlow(anne.token);
  Object.assign(accountOf(at.langflow, anne.id) ?? {}, { isActive: false });
  const refused = await at.flows("GET", `/${flow}`, { token: anne.token });
  expect([refused.status, refused.body.code]).toEqual([403, "provider_account_inactive"]);
  expect(accountOf(at.langflow, anne.id)?.isActive).toBe(false);
});

test("a limit on sign-ins is reported with its Retry-After, and the next attempt completes the first", async () => {
  const anne = await person();
  at.langflow.settings.loginsAllowed = 0;
  const busy = await account(anne.token);
  expect([busy.status, busy.body.code, busy.headers.get("retry-after")]).toEqual([
    503,
    "provider_busy",
    "60",
  ]);
  at.langflow.settings.loginsAllowed = Number.POSITIVE_INFINITY;
  expect((await account(anne.token)).body).toMatchObject({ created: true });
  expect(at.langflow.counts.users).toBe(1);
});

test("failures of the provider are reported in our own words: 5xx, silence, and other servers", async () => {
  const anne = await person();
  const flow = await at.newFlow(anne.token);
  at.langflow.settings.failing = 500;
  const failed = await at.run(anne.token, flow);
  expect([failed.status, failed.body.code]).toEqual([502, "provider_failed"]);
  expect(failed.text).not.toContain("Internal Server Error");
  at.langflow.settings.failing = undefined;
  at.langflow.settings.delayMs = 3_000;
  const slow = await at.run(anne.token, flow);
  expect([slow.status, slow.body.code]).toEqual([504, "provider_timeout"]);
});

test("every user can list providers and their health, without an address", async () => {
  expect((await at.integrations("GET", "/providers", { token: null })).body).toEqual({
    providers: ["flowengine"],
  });
  const health = {
    provider: "flowengine",
    status: "up",
    version: "0.10.3",
    latencyMs: expect.any(Number) as number,
  };
  expect(
    (await at.integrations("GET", "/flowengine/health", { token: null })).body,
  ).toEqual(health);
  expect((await at.flows("GET", "/health", { token: null })).body).toEqual(health);
  expect((await at.integrations("GET", "/health", { token: null })).body).toEqual({
    status: "ok",
    providers: [health],
  });
  const unknown = await at.integrations("POST", "/another/tokens");
  expect([unknown.status, unknown.body.code]).toEqual([404, "provider_not_found"]);
});

test("an unsafe Langflow is refused with the reason", async () => {
  await using unsafe = await flowServer({}, { version: "0.9.0" });
  const refused = await unsafe.integrations("POST", "/flowengine/account");
  expect([refused.status, refused.body.code]).toEqual([502, "provider_refused"]);
  const health = (await unsafe.flows("GET", "/health", { token: null })).body;
  expect(health).toMatchObject({
    status: "refused",
    reason: expect.stringMatching(/Langflow 0\.9\.0 is refused/) as string,
  });
  expect((await unsafe.parlance.request("/api/v1/health", { token: null })).status).toBe(
    200,
  );
});

test("without a provider its routes do not exist, and the others say so", async () => {
  await using bare = await startTestServer({ FLOWENGINE_BASE_URL: "http://127.0.0.1:9" });
  expect(await (await bare.request("/api/v1/integrations/providers")).json()).toEqual({
    providers: [],
  });
  expect((await bare.request("/api/v1/integrations/health")).status).toBe(200);
  for (const path of ["flows", "health", "api-key"])
    expect(await (await bare.request(`/api/v1/flowengine/${path}`)).json()).toMatchObject({
      code: "not_found",
    });
  const grant = await bare.request("/api/v1/flowengine/admin/permissions/grant", {
    body: { userId: "a", flowId: "b" },
  });
  expect(grant.status).toBe(404);
});
