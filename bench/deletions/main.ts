import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent } from "undici";
import { readArguments, refuseArguments } from "../../scripts/read-arguments.ts";
import { openDatabase } from "../../src/platform/db/open-database.ts";
import { silentLog } from "../../src/platform/telemetry/log.ts";
import { createProcesses } from "../processes.ts";
import { dropDatabase, freshDatabase, signIn, signUp, startServer } from "../server.ts";
import { BY_JOBS, callAs, deletionSteps, emailOf } from "./deletion-steps.ts";
import { countRows, fillDatabase } from "./fill-database.ts";
import { type WaitsDuring, waitsDuring } from "./others-wait.ts";

const USAGE = `Usage: npm run deletions [-- options]

Deletes one long conversation, what is in the trash, a user, and all other users, from a database with
many messages, and measures how long somebody else waits for their own requests meanwhile. It uses the
server of DATABASE_URL, on which it creates a database of its own, or the embedded database without.
Ends with 1 when more than one of 100 requests takes over 100 ms, one fails, or something is left. While
the jobs run, the embedded database vacuums, which may take 500 ms.

  --messages <number>  how many; 100,000 by default
  --help               print this`;

const { values } = readArguments(USAGE, {
  options: { messages: { type: "string", default: "100000" } },
});
const messages = Number(values.messages);
if (!(messages >= 1_000))
  refuseArguments("--messages is a number of 1,000 or more.", USAGE);

const MAX_WAIT_MS = 100;
/** A table is vacuumed in one statement, and the embedded database does one at a time. */
const MAX_VACUUM_MS = 500;
const IDLE_MS = 15_000;
const STATEMENT_MS = 600_000;
const PER_CONVERSATION = 40;
const MEMBERS = 20;
/** Whose requests are measured; all others are deleted. */
const OTHER = 0;

const processes = createProcesses();
const dataDir = await mkdtemp(join(tmpdir(), "parlance-deletions-"));
const settings = await freshDatabase();
const serve = () =>
  startServer(
    { processes, dataDir, rounds: 1, seconds: 1 },
    "server",
    "http://127.0.0.1:9/v1",
    undefined,
    {
      ...settings,
      NODE_OPTIONS: `--import=${new URL("hourly-now.ts", import.meta.url).pathname}`,
    },
  );

async function withDatabase<Result>(
  use: (db: Awaited<ReturnType<typeof openDatabase>>) => Promise<Result>,
): Promise<Result> {
  await using db = await openDatabase({
    url: settings["DATABASE_URL"],
    dataDir: `${dataDir}/server`,
    log: silentLog(),
    statementTimeoutMs: STATEMENT_MS,
  });
  return await use(db);
}

/** The shares of the messages: one long conversation, a trash, a user, an organisation. */
function batches() {
  const long = Math.min(10_000, messages / 10);
  const conversations = (share: number) => Math.ceil((messages * share) / PER_CONVERSATION);
  const ofSize = { messages: PER_CONVERSATION };
  return [
    { email: emailOf(OTHER), conversations: 25, ...ofSize },
    { email: emailOf(1), conversations: 1, messages: long },
    { email: emailOf(2), conversations: conversations(0.3), ...ofSize, deletedDaysAgo: 60 },
    { email: emailOf(3), conversations: conversations(0.2), ...ofSize },
    ...Array.from({ length: MEMBERS }, (_, at) => ({
      email: emailOf(4 + at),
      conversations: conversations((0.5 - long / messages) / MEMBERS),
      ...ofSize,
    })),
  ];
}

const agent = new Agent({ connections: 20 });
try {
  const first = await serve();
  const admin = await signIn(first, agent);
  for (let number = 0; number < 4 + MEMBERS; number += 1)
    await signUp(first, agent, admin, number);
  await processes.stop(first.pid);
  await withDatabase((db) => fillDatabase(db, batches()));
  const before = await withDatabase((db) => countRows(db));

  const server = await serve();
  const other = callAs(server.port, await signIn(server, agent, emailOf(OTHER)));
  const waits: Record<string, WaitsDuring> = {
    idle: await waitsDuring(other, () => sleep(IDLE_MS)),
  };
  const signInAs = (number?: number) =>
    signIn(server, agent, number === undefined ? undefined : emailOf(number));
  const steps = deletionSteps(server, signInAs, {
    long: 1,
    trash: 2,
    leaver: 3,
    other: OTHER,
  });
  for (const [name, step] of Object.entries(steps))
    waits[name] = await waitsDuring(other, step);
  await processes.stop(server.pid);

  const left = await withDatabase((db) => countRows(db, { without: emailOf(OTHER) }));
  const kept = await withDatabase((db) => countRows(db));
  console.table({
    before,
    "left of what was deleted": left,
    "after, with the other user's": kept,
  });
  console.table(waits);
  const isEmbedded = settings["DATABASE_URL"] === undefined;
  const isShort = Object.entries(waits).every(
    ([name, { p99, failed }]) =>
      p99 <= (isEmbedded && name === BY_JOBS ? MAX_VACUUM_MS : MAX_WAIT_MS) && failed === 0,
  );
  const isGone = Object.values(left).every((count) => count === 0);
  const isKept = kept["messages"] === 25 * PER_CONVERSATION;
  console.log(isShort && isGone && isKept ? "held" : "NOT HELD");
  process.exitCode = isShort && isGone && isKept ? 0 : 1;
} finally {
  processes.end();
  await agent.close();
  await dropDatabase(settings);
  await rm(dataDir, { recursive: true, force: true });
}
