import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type TestServer, startTestServer } from "./support/server.ts";

const SECRET = { "x-platform-user-service-secret": "user-service-secret-of-the-test" };
const PASSWORD = "a long enough password";
let parlance: TestServer;
let serial = 0;

beforeAll(async () => {
  parlance = await startTestServer({
    USER_SERVICE_SECRET: SECRET["x-platform-user-service-secret"],
  });
});
afterAll(() => parlance[Symbol.asyncDispose]());

const aUser = async () => {
  serial += 1;
  const email = `person${serial}@test.example`;
  const made = await parlance.request("/api/v1/users", {
    body: { email, name: email, password: PASSWORD },
  });
  return {
    id: ((await made.json()) as { id: string }).id,
    email,
    token: await parlance.signIn(email, PASSWORD),
  };
};
const asService = (path: string, method = "GET", body?: unknown) =>
  parlance.request(path, { token: null, headers: SECRET, method, body });
const talk = async (token: string) =>
  (
    (await (
      await parlance.request("/api/v1/conversation", {
        token,
        body: { content: "remember me", stream: false },
      })
    ).json()) as {
      conversationId: string;
    }
  ).conversationId;
const remove = async (id: string, query = "") =>
  (await parlance.request(`/api/v1/users/${id}${query}`, { method: "DELETE" })).status;
const roleOf = async (userId: string, resourceId: string) =>
  (
    (await (
      await asService("/api/v1/sharing/check-access", "POST", {
        resourceType: "document",
        resourceId,
        userId,
      })
    ).json()) as { role: string | null }
  ).role;
const register = (
  resourceType: string,
  resourceId: string,
  ownerId: string,
  parentId?: string,
) => asService("/api/v1/features", "POST", { resourceType, resourceId, ownerId, parentId });
const linesOf = async (answer: Response) =>
  (await answer.text())
    .trimEnd()
    .split("\n")
    .map(
      (line) =>
        JSON.parse(line) as {
          service: string;
          kind: string;
          data: Record<string, unknown>;
        },
    );

test("deleting a user transfers what they own to the recipient, at every service", async () => {
  const [leaver, heir] = [await aUser(), await aUser()];
  const conversation = await talk(leaver.token);
  await register("document", `of ${leaver.id}`, leaver.id);
  expect(await remove(leaver.id, `?transferTo=${leaver.id}`)).toBe(400);
  expect(await remove(leaver.id, "?transferTo=01a1fb8b-2522-72b4-a6e7-60a70d8e06b0")).toBe(
    400,
  );
  expect(await remove(leaver.id, `?transferTo=${heir.id}`)).toBe(204);
  expect((await parlance.request("/api/v1/auth/me", { token: leaver.token })).status).toBe(
    401,
  );
  expect([
    await roleOf(heir.id, `of ${leaver.id}`),
    await roleOf(leaver.id, `of ${leaver.id}`),
  ]).toEqual(["owner", null]);
  await vi.waitFor(
    async () =>
      expect(
        (
          await parlance.request(`/api/v1/conversation/${conversation}`, {
            token: heir.token,
          })
        ).status,
      ).toBe(200),
    90_000,
  );
});

test("without a recipient it is deleted, and what others put into the user's folders stays theirs", async () => {
  const [leaver, other] = [await aUser(), await aUser()];
  const conversation = await talk(leaver.token);
  await register("folder", `folder of ${leaver.id}`, leaver.id);
  await register("document", `guest of ${leaver.id}`, other.id, `folder of ${leaver.id}`);
  expect(await roleOf(leaver.id, `guest of ${leaver.id}`)).toBe("owner");
  expect(await remove(leaver.id)).toBe(204);
  expect([
    await roleOf(leaver.id, `guest of ${leaver.id}`),
    await roleOf(other.id, `guest of ${leaver.id}`),
  ]).toEqual([null, "owner"]);
  await vi.waitFor(async () => {
    const answer = await parlance.request(
      `/api/v1/conversation/multiple?ids=${conversation}`,
      {
        token: parlance.token,
      },
    );
    expect(JSON.stringify(await answer.json())).not.toContain("remember me");
    const data = await fetch(
      `${parlance.internalUrl}/api/v1/conversation/multiple?ids=${conversation}`,
    );
    expect(await data.text()).not.toContain("remember me");
  }, 90_000);
  expect(await remove(leaver.id)).toBe(404);
});

test("a user's export has what every service stores about them, no secret, and nothing of others", async () => {
  const [anne, beth] = [await aUser(), await aUser()];
  await talk(anne.token);
  await parlance.request("/api/v1/pins/agent/pinned-by-anne", {
    method: "PUT",
    token: anne.token,
  });
  await parlance.request("/api/v1/pins/agent/pinned-by-beth", {
    method: "PUT",
    token: beth.token,
  });
  const account = {
    userId: anne.id,
    username: "anne-at-flows",
    password: "planted-password",
  };
  await asService("/api/v1/langflow-users", "POST", account);
  const { key } = (await (
    await parlance.request("/api/v1/auth/api-keys", {
      token: anne.token,
      body: { name: "k" },
    })
  ).json()) as {
    key: string;
  };
  const file = new File(["what anne had read"], "read-for-anne.txt");
  const form = new FormData();
  form.append("file", file);
  const headers = { authorization: `Bearer ${anne.token}` };
  const sent = await fetch(`${parlance.url}/api/v1/parser/parse-async`, {
    method: "POST",
    headers,
    body: form,
  });
  const { job_id } = (await sent.json()) as { job_id: string };
  const jobAt = `/api/v1/parser/parse-status/${job_id}`;
  await vi.waitFor(
    async () =>
      expect(
        await (await parlance.request(jobAt, { token: anne.token })).json(),
      ).toMatchObject({
        status: "completed",
      }),
    90_000,
  );
  const own = await linesOf(
    await parlance.request("/api/v1/auth/me/export", { token: anne.token }),
  );
  for (const kind of [
    "profile",
    "session",
    "apiKey",
    "mark",
    "flowAccount",
    "conversation",
    "parsingJob",
  ])
    expect(own.map((line) => line.kind)).toContain(kind);
  const text = JSON.stringify(own);
  for (const held of [
    anne.email,
    "pinned-by-anne",
    "anne-at-flows",
    "remember me",
    "read-for-anne.txt",
    "what anne had read",
  ])
    expect(text).toContain(held);
  for (const absent of [
    beth.email,
    "pinned-by-beth",
    "planted-password",
    key,
    PASSWORD,
    "scrypt",
  ])
    expect(text).not.toContain(absent);
  const byAdmin = await linesOf(await parlance.request(`/api/v1/users/${anne.id}/export`));
  expect(byAdmin.map(({ kind }) => kind)).toContain("conversation");
  expect(
    (await parlance.request(`/api/v1/users/${anne.id}/export`, { token: beth.token }))
      .status,
  ).toBe(403);

  // once the user is deleted, the job and its files are gone
  expect(await remove(anne.id)).toBe(204);
  await vi.waitFor(
    async () => expect((await fetch(parlance.internalUrl + jobAt)).status).toBe(404),
    90_000,
  );
  const left = await readdir(join(parlance.dataDir, "files"), { recursive: true });
  expect(left.filter((name) => name.includes(job_id))).toEqual([]);
});
