import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { Agent, request } from "undici";
import { startFakeProvider } from "../test/support/fake-provider/start-fake-provider.ts";
import { type Stage, signIn, signUp, startServer } from "./server.ts";

const CONVERSATIONS = 40;
/** A user may have 20 replies in progress. */
const CONVERSATIONS_A_USER = 10;
/** At reading speed they take longer than the minute after which old rows are freed. */
const TURNS = 12;
const BEGIN_MS = 8_000;
const ANSWER_CHARACTERS = 1_500;
const MS_A_WORD = 33;
const QUESTION = "What happens to the settings of a model when it is named there twice?";

/** The text of our documents, which has the words of people. */
const DOCS = new URL("../docs/", import.meta.url);
const TEXT = readdirSync(DOCS)
  .filter((name) => name.endsWith(".md"))
  .map((name) => readFileSync(new URL(name, DOCS), "utf8"))
  .join("\n");

/**
 * Measures how much the embedded database grows by a turn: a short question, and an answer of 1.5
 * kB that is generated at reading speed and saved meanwhile. As many turns before do not count, so
 * that the space of old rows is used again. The floor is the bytes of both texts.
 */
export async function diskOfTurns(
  stage: Stage,
): Promise<Record<string, Record<string, number>>> {
  // a server frees and packs its tables at its own time
  if (process.env["DATABASE_URL"] !== undefined) return {};
  let at = 0;
  const nextAnswer = () => {
    at = (at + ANSWER_CHARACTERS + 137) % (TEXT.length - ANSWER_CHARACTERS);
    return TEXT.slice(at, at + ANSWER_CHARACTERS);
  };
  await using provider = await startFakeProvider({
    wire: "openai",
    replies({ body }) {
      const { messages = [] } = body as { messages?: { role: string }[] }; // what a provider is sent
      const isTitle = messages[0]?.role === "system";
      const usage = { inputTokens: 1_200, outputTokens: 400 };
      if (isTitle) return { steps: [{ text: "The settings of models" }], usage };
      const words = nextAnswer().match(/\s*\S+/g) ?? [];
      const steps = words.flatMap((text) => [{ text }, { pauseMs: MS_A_WORD }]);
      return { steps, usage };
    },
  });
  const run = () => runTurns(stage, provider.url);
  await run();
  const before = await databaseBytes(stage);
  await run();
  const bytes = (await databaseBytes(stage)) - before;
  const floor = Buffer.byteLength(QUESTION) + ANSWER_CHARACTERS;
  return {
    "the texts alone": { "bytes a turn": floor },
    "POST /conversation": { "bytes a turn": bytes / (CONVERSATIONS * TURNS) },
  };
}

/** Starts the server, has so many turns in new conversations, and stops it. */
async function runTurns(stage: Stage, providerUrl: string): Promise<void> {
  const agent = new Agent({ connections: CONVERSATIONS });
  const server = await startServer(stage, "disk", providerUrl);
  const admin = await signIn(server, agent);
  const users = Array.from({ length: CONVERSATIONS / CONVERSATIONS_A_USER }, (_, n) => n);
  const tokens: string[] = [];
  for (const n of users)
    tokens.push(
      // a second run finds them
      await signUp(server, agent, admin, n).catch(() =>
        signIn(server, agent, `user${n}@parlance.local`),
      ),
    );
  const url = `http://127.0.0.1:${server.port}/api/v1/conversation`;
  await Promise.all(
    Array.from({ length: CONVERSATIONS }, async (_, n) => {
      await sleep((BEGIN_MS * n) / CONVERSATIONS);
      const token = tokens[n % tokens.length] ?? "";
      let conversationId: string | undefined;
      for (let turn = 0; turn < TURNS; turn += 1)
        conversationId = await ask(agent, url, token, conversationId);
    }),
  );
  await agent.destroy();
  await stage.processes.stop(server.pid);
}

/** @returns the id of the conversation. */
async function ask(
  agent: Agent,
  url: string,
  token: string,
  conversationId: string | undefined,
): Promise<string> {
  const answer = await request(url, {
    method: "POST",
    dispatcher: agent,
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({
      model: "openai/gpt-test",
      content: QUESTION,
      ...(conversationId && { conversationId }),
    }),
  });
  const text = await answer.body.text();
  const id = /"conversationId":"([^"]+)"/.exec(text)?.[1];
  if (!id || !text.includes("event: done\n")) throw new Error(text.slice(0, 500));
  return id;
}

async function databaseBytes({ dataDir }: Stage): Promise<number> {
  const database = await PGlite.create({
    dataDir: `${dataDir}/disk/database`,
    extensions: { vector },
  });
  const { rows } = await database.query<{ bytes: number }>(
    `select sum(pg_total_relation_size(oid))::float8 as bytes from pg_class
      where relkind = 'r' and relnamespace::regnamespace::text !~ '^(pg_|information_schema)'`,
  );
  await database.close();
  return rows[0]?.bytes ?? Number.NaN;
}
