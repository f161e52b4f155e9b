import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";
import { interleaved } from "./measure.ts";
import { AS_SERVICE, SECRET, type Stage, signIn, signUp, startServer } from "./server.ts";
import { percentile, treeProcessorSeconds } from "./streams.ts";

const WORDS_A_SECOND = 30;
/** How many streams are open at once. */
const STREAMS = [50, 200];
/** All streams begin within this time, not in one moment. */
const BEGIN_MS = 500;
/** Rounds of so long do not count. */
const WARM_UP_SECONDS = 60;
/** What opening costs is over by then. */
const SETTLE_MS = 1_000;
/** A user may have 20 replies in progress. */
const STREAMS_A_USER = 16;
/** A reply outlasts its measurement by this, for the slowest to have begun. */
const SPARE_SECONDS = 4;

interface Target {
  name: string;
  url: string;
  body: object;
  pid: number;
  /** Of each stream in turn. */
  headers: (stream: number) => Record<string, string>;
}

/** What one window of measurement saw. */
interface Seen {
  isOpen: boolean;
  words: number;
  gaps: number[];
  firsts: number[];
}

/**
 * Measures open replies at the speed at which people read: 30 words a second, one word a chunk.
 * Counts the processor time of the process and its children while all streams run: opening and
 * ending is no part of it. The first rounds warm up and do not count.
 */
export async function atReadingSpeed(
  stage: Stage,
): Promise<Record<string, Record<string, number>>> {
  const agent = new Agent({ connections: 1_000 });
  const provider = await stage.processes.start([
    "test/support/fake-provider/main.ts",
    "--tokens",
    String(WORDS_A_SECOND * (stage.seconds + SPARE_SECONDS)),
    "--delay",
    String(Math.round(1_000 / WORDS_A_SECOND)),
  ]);
  const pipe = await stage.processes.start(["bench/pipe.ts", String(provider.port)]);
  const providerUrl = `http://127.0.0.1:${provider.port}/v1`;
  const parlance = await startServer(stage, "human", providerUrl, undefined, {
    USER_STREAM_LIMIT: "1000",
    // long windows outlast an access token of the usual age
    ACCESS_TOKEN_TTL: "86400000",
  });
  const admin = await signIn(parlance, agent);
  const users = Math.ceil(Math.max(...STREAMS) / STREAMS_A_USER);
  const tokens = await Promise.all(
    Array.from({ length: users }, (_, n) => signUp(parlance, agent, admin, n)),
  );
  const ours = `http://127.0.0.1:${parlance.port}/api/v1`;
  const model = "openai/gpt-test";
  const messages = [{ role: "user", content: "hello" }];
  const targets: Target[] = [
    {
      name: "byte pipe",
      url: `http://127.0.0.1:${pipe.port}/v1/chat/completions`,
      body: { model: "m", messages, stream: true },
      pid: pipe.pid,
      headers: () => ({}),
    },
    {
      name: "POST /completions",
      url: `${ours}/completions`,
      body: { model, messages },
      pid: parlance.pid,
      headers: () => ({ authorization: `Bearer ${SECRET}` }),
    },
    {
      name: "POST /agent/run",
      url: `${ours}/agent/run`,
      body: { model, messages },
      pid: parlance.pid,
      headers: () => AS_SERVICE,
    },
    {
      name: "POST /conversation",
      url: `${ours}/conversation`,
      body: { model, content: "hello" },
      pid: parlance.pid,
      headers: (stream) => ({ authorization: `Bearer ${tokens[stream % users]}` }),
    },
  ];
  const results: Record<string, Record<string, number>> = {};
  for (const streams of STREAMS) {
    const figures = await interleaved(
      targets.map((target) => ({
        name: target.name,
        run: () => watch(agent, target, streams, stage.seconds),
      })),
      stage.rounds,
      Math.ceil(WARM_UP_SECONDS / stage.seconds),
    );
    for (const [name, values] of Object.entries(figures))
      for (const [figure, value] of Object.entries(values))
        (results[name] ??= {})[`${figure}, ${streams} streams`] = value;
  }
  await agent.destroy();
  return results;
}

/** Opens the streams, and measures for so many seconds while all of them run. */
async function watch(
  agent: Agent,
  target: Target,
  streams: number,
  seconds: number,
): Promise<Record<string, number>> {
  const seen: Seen = { isOpen: false, words: 0, gaps: [], firsts: [] };
  const begun = Array.from({ length: streams }, () => Promise.withResolvers<void>());
  const ended = Promise.all(
    begun.map(async ({ resolve }, stream) => {
      await sleep((BEGIN_MS * stream) / streams);
      await readWords(agent, target, stream, seen, resolve);
    }),
  );
  await Promise.race([Promise.all(begun.map(({ promise }) => promise)), ended]);
  await sleep(SETTLE_MS);
  const before = treeProcessorSeconds(target.pid);
  seen.isOpen = true;
  await sleep(seconds * 1_000);
  seen.isOpen = false;
  const used = treeProcessorSeconds(target.pid) - before;
  await ended;
  return {
    "µs of processor a word": (used / seen.words) * 1e6,
    "words a second": seen.words / seconds,
    "first word, ms": percentile(seen.firsts, 50),
    "95 % of gaps, ms": percentile(seen.gaps, 95),
  };
}

/** Reads one reply. Calls `onFirst` at its first word. */
async function readWords(
  agent: Agent,
  { url, body, headers }: Target,
  stream: number,
  seen: Seen,
  onFirst: () => void,
): Promise<void> {
  const startedAt = performance.now();
  const answer = await request(url, {
    method: "POST",
    dispatcher: agent,
    headers: { "content-type": "application/json", ...headers(stream) },
    body: JSON.stringify(body),
  });
  if (answer.statusCode !== 200)
    throw new Error(`${url}: ${answer.statusCode} ${await answer.body.text()}`);
  let lastAt: number | undefined;
  for await (const chunk of answer.body) {
    const words = (chunk as Buffer).toString("latin1").split(" word").length - 1; // no encoding is set
    if (words === 0) continue;
    const now = performance.now();
    if (lastAt === undefined) {
      seen.firsts.push(now - startedAt);
      onFirst();
    } else if (seen.isOpen) seen.gaps.push(now - lastAt);
    if (seen.isOpen) seen.words += words;
    lastAt = now;
  }
}
