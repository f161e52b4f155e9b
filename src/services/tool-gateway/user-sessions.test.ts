import { expect, test, vi } from "vitest";
import { entry, gatewaysForTests, say } from "../../../test/support/gateways.ts";
import { startToolServer } from "../../../test/support/tool-server.ts";
import { TooManyRequests } from "../../platform/http/errors.ts";
import { UserSessions } from "./user-sessions.ts";

const MAX = 200;
const gateways = gatewaysForTests();
const busy = () => new TooManyRequests("tool_server_busy", "Too many.", 1_000);

const NOBODY = { headers: async () => ({}), refused: async () => false };

/** Sessions at a real server that keeps them. */
async function openSessions(idleMs = 60_000) {
  const server = await startToolServer({ look: say("seen") }, { unknownSession: 404 });
  const { outgoing } = gateways;
  const sessions = new UserSessions({
    server: entry("one", server),
    outgoing,
    idleMs,
    busy,
  });
  return {
    server,
    sessions,
    use: (userId: string, work = async () => {}) =>
      sessions.use(userId, {}, { withinMs: 90_000, credential: NOBODY }, work),
    async [Symbol.asyncDispose]() {
      await sessions[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

const users = Array.from({ length: MAX }, (_, n) => `user ${n}`);

test("at most 200 users have a session; the one unused for longest is ended at the server", async () => {
  await using one = await openSessions();
  for (const user of users) await one.use(user);
  expect(one.server.sessions()).toBe(MAX);
  await one.use("user 0");
  expect(one.server.opened()).toBe(MAX);
  await one.use("a new user");
  await vi.waitFor(() => expect(one.server.sessions()).toBe(MAX), 90_000);
  expect(one.server.opened()).toBe(MAX + 1);
  await one.use("user 0"); // was used since
  expect(one.server.opened()).toBe(MAX + 1);
  await one.use("user 1");
  expect(one.server.opened()).toBe(MAX + 2);
});

test("no session in use is ended for another user, whose call is refused", async () => {
  await using one = await openSessions();
  const { promise: done, resolve: finish } = Promise.withResolvers<void>();
  const running: Promise<void>[] = [];
  for (const user of users) {
    // one after the other: a slow machine does not connect so many within their time
    await new Promise<void>((open) => {
      running.push(one.use(user, () => (open(), done)));
    });
  }
  await expect(one.use("a new user")).rejects.toMatchObject({ code: "tool_server_busy" });
  finish();
  await Promise.all(running);
  await one.use("a new user");
});

test("sessions without calls end, those in use stay", async () => {
  await using one = await openSessions(0);
  const { promise: done, resolve: finish } = Promise.withResolvers<void>();
  await one.use("idle");
  const { promise: started, resolve: start } = Promise.withResolvers<void>();
  const running = one.use("at work", () => (start(), done));
  await started;
  one.sessions.endIdle();
  await vi.waitFor(() => expect(one.server.sessions()).toBe(1), 90_000);
  finish();
  await running;
  one.sessions.endIdle();
  await vi.waitFor(() => expect(one.server.sessions()).toBe(0), 90_000);
});
