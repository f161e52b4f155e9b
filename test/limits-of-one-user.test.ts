import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import type { insertWithinLimit } from "../src/platform/db/insert-within-limit.ts";
import { type TestServer, startTestServer } from "./support/server.ts";

/** Switches the check of all limits off, to prove that it is what refuses. */
const check = vi.hoisted(() => ({ isOff: false }));
vi.mock("../src/platform/db/insert-within-limit.ts", async (original) => {
  const actual = await original<{ insertWithinLimit: typeof insertWithinLimit }>();
  const insert: typeof insertWithinLimit = (db, limit, work) =>
    check.isOff ? db.tx(work) : actual.insertWithinLimit(db, limit, work);
  return { ...actual, insertWithinLimit: insert };
});
afterEach(() => {
  check.isOff = false;
});

const LIMITS = [
  "AGENTS_PER_USER",
  "AGENT_FOLDERS_PER_USER",
  "CANVASES_PER_USER",
  "CONVERSIONS_PER_USER",
  "TAGS_PER_USER",
  "DOCUMENT_FOLDERS_PER_USER",
  "MARKS_PER_USER",
  "SHARES_PER_RESOURCE",
  "MEMBERS_PER_GROUP",
];
const MAX = 3;
const CANVAS = { title: "Plan", type: "markdown", content: "text" };

type Made = { id: string };
let parlance: TestServer;
let groupId: string;
let sharedId: string;
let userIds: string[];
let conversationIds: string[];

const put = (path: string, body?: object) =>
  parlance.request(path, { method: "PUT", ...(body && { body }) });
const post = (path: string, body: object) => parlance.request(path, { body });
const made = async (answer: Promise<Response>) =>
  ((await (await answer).json()) as Made).id;

beforeAll(async () => {
  parlance = await startTestServer(
    Object.fromEntries(LIMITS.map((name) => [name, String(MAX)])),
  );
  const five = [1, 2, 3, 4, 5];
  groupId = await made(post("/api/v1/groups", { name: "Sales" }));
  sharedId = await made(post("/api/v1/documents/folders", { name: "Shared" }));
  const password = "a long enough password";
  userIds = await Promise.all(
    five.map((n) =>
      made(post("/api/v1/users", { email: `u${n}@test.example`, name: `U${n}`, password })),
    ),
  );
  conversationIds = await Promise.all(
    five.map(async () => {
      const answer = await post("/api/v1/conversation", {
        content: "hello",
        stream: false,
      });
      return ((await answer.json()) as { conversationId: string }).conversationId;
    }),
  );
});
afterAll(() => parlance[Symbol.asyncDispose]());

/**
 * The kind of resource, how to create the n-th, the code at the limit, and how many existed before.
 */
const THINGS: [string, (n: number) => Promise<Response>, string, number?][] = [
  [
    "agents",
    (n) => post("/api/v1/agent", { name: `A${n}`, type: "simple" }),
    "too_many_agents",
  ],
  [
    "agent folders",
    (n) => post("/api/v1/agent/folders", { name: `F${n}` }),
    "too_many_folders",
  ],
  ["canvases", () => post("/api/v1/canvas", CANVAS), "too_many_canvases"],
  [
    "conversions",
    (n) =>
      post("/api/v1/conversion", { type: "grammar", text: `text ${n}`, stream: false }),
    "too_many_conversions",
  ],
  [
    "tags of conversations",
    (n) =>
      parlance.request(`/api/v1/conversation/${conversationIds[n]}`, {
        method: "PATCH",
        body: { tags: [`tag ${n}`] },
      }),
    "too_many_tags",
  ],
  [
    "document folders",
    (n) => post("/api/v1/documents/folders", { name: `F${n}` }),
    "too_many_folders",
    1,
  ],
  ["pins", (n) => put(`/api/v1/pins/canvas/${n}`), "too_many_marks"],
  ["favourites", (n) => put(`/api/v1/favorites/canvas/${n}`), "too_many_marks"],
  [
    "tags on resources",
    (n) => put(`/api/v1/tags/canvas/${n}`, { tags: [`t${n}`] }),
    "too_many_tags",
  ],
  [
    "shares",
    (n) =>
      post("/api/v1/sharing/share", {
        resourceType: "folder",
        resourceId: sharedId,
        shares: [{ subjectType: "user", subjectId: userIds[n], accessRole: "viewer" }],
      }),
    "too_many_shares",
  ],
  [
    "members of a group",
    (n) => put(`/api/v1/groups/${groupId}/members/${userIds[n]}`),
    "too_many_members",
  ],
];

test.each(THINGS)(
  "%s have a limit, also for requests at once",
  async (_, make, code, before = 0) => {
    const answers = await Promise.all([0, 1, 2, 3, 4].map(make));
    const refused = answers.filter(({ status }) => status === 409);
    const bodies = await Promise.all(refused.map((answer) => answer.json()));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(MAX - before);
    expect(bodies).toEqual(
      Array.from({ length: 2 + before }, () =>
        expect.objectContaining({ code, error: expect.stringMatching(/\b3\b.*\. .+\.$/) }),
      ),
    );
  },
  60_000,
);

test.each(THINGS)(
  "off: without the check there are more %s than the limit",
  async (_, make) => {
    check.isOff = true;
    const answers = await Promise.all([0, 1, 2, 3, 4].map(make));
    expect(answers.map(({ ok }) => ok)).toEqual(answers.map(() => true));
  },
);

test.each([
  ["pins", ["a", "b", "c"], undefined],
  ["tags", ["a"], { tags: ["a", "b", "c"] }],
])("what is there already can be sent again at the limit: %s", async (kind, ids, body) => {
  const token = await parlance.signIn("u1@test.example", "a long enough password");
  for (const id of [...ids, ...ids]) {
    const path = `/api/v1/${kind}/thing/${id}`;
    const answer = await parlance.request(path, {
      method: "PUT",
      token,
      ...(body && { body }),
    });
    expect(answer.ok).toBe(true);
  }
});

test.each([
  ["/api/v1/canvas", CANVAS, "too_many_canvases"],
  ["/api/v1/agent", { name: "A", type: "simple" }, "too_many_agents"],
])(
  "what lies in the trash frees its place, and takes one again: %s",
  async (path, body, code) => {
    const token = await parlance.signIn("u2@test.example", "a long enough password");
    const ids: string[] = [];
    for (let n = 0; n < MAX; n += 1)
      ids.push(await made(parlance.request(path, { token, body })));
    const gone = `${path}/${ids[0]}`;
    expect((await parlance.request(gone, { token, method: "DELETE" })).ok).toBe(true);
    expect((await parlance.request(path, { token, body })).status).toBe(201);
    const restored = await parlance.request(`${gone}/restore`, { token, method: "POST" });
    expect([restored.status, await restored.json()]).toMatchObject([409, { code }]);
  },
);
