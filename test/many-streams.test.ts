import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testServerUrl } from "../src/platform/testing/database.ts";
import {
  type FakeProvider,
  startFakeProvider,
} from "./support/fake-provider/start-fake-provider.ts";
import { held } from "./support/held.ts";
import { eventsOf } from "./support/server.ts";
import { type SpawnedServer, spawnServer } from "./support/spawned-server.ts";

const STREAMS = Number(process.env["MANY_STREAMS"] ?? 60);
/** Fewer than the limit of one user. */
const STREAMS_PER_USER = 5;
const WORDS = Array.from({ length: 40 }, (_, index) => `word${index} `);

let dataDir: string;
let database: Awaited<ReturnType<typeof testServerUrl>>;
let provider: FakeProvider;
let parlance: SpawnedServer;
/** Continues every reply after its first word, once all streams are open. */
let continueReplies: () => void;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "parlance-streams-"));
  database = await testServerUrl();
  const until = new Promise<void>((resolve) => (continueReplies = resolve));
  const [first = "", ...rest] = WORDS;
  const steps = [{ text: first }, { until }, ...rest.map((text) => ({ text }))];
  provider = await startFakeProvider({ wire: "openai", replies: [{ steps }] });
  parlance = await spawnServer({
    DATA_DIR: dataDir,
    DATABASE_URL: database?.url,
    OPENAI_BASE_URL: provider.url,
    NAMESPACE: `streams-${process.pid}`,
  });
});
afterAll(async () => {
  await parlance.kill();
  await provider[Symbol.asyncDispose]();
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

/** @returns the header of a new user's requests. */
async function newUser(name: string): Promise<{ authorization: string }> {
  const user = { email: `${name}@test.example`, password: "a long enough password" };
  const made = await parlance.ask("/api/v1/users", { ...user, name });
  expect(made.status).toBe(201);
  const login = await parlance.ask("/api/v1/auth/login", user);
  return {
    authorization: `Bearer ${((await login.json()) as { accessToken: string }).accessToken}`,
  };
}

test("streams that are all open at once lose and repeat no event", async () => {
  const users: { authorization: string }[] = [];
  for (let index = 0; index < STREAMS / STREAMS_PER_USER; index += 1)
    users.push(await newUser(`user-${index}`));
  const opened = await Promise.all(
    Array.from({ length: STREAMS }, (_, index) =>
      parlance.ask(
        "/api/v1/conversation",
        { content: "count" },
        users[index % users.length],
      ),
    ),
  );
  expect(opened.map(({ status }) => status)).toEqual(opened.map(() => 200));
  const replies = opened.map(eventsOf);
  continueReplies();
  for (const events of await Promise.all(replies)) {
    const deltas = events.filter(({ event }) => event === "text_delta");
    expect(deltas.map(({ data }) => data["delta"]).join("")).toBe(WORDS.join(""));
    expect(events.map(({ event }) => event)).toContain("done");
  }
  held("many-streams", STREAMS);
}, 900_000);
