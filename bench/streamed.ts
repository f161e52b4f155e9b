import { Agent } from "undici";
import { startToolServer, text } from "../test/support/tool-server.ts";
import {
  AS_SERVICE,
  SECRET,
  type Stage,
  signIn,
  startServer,
  toolListed,
} from "./server.ts";
import { interleaved } from "./measure.ts";
import { replies, type Target } from "./streams.ts";

/** A user may have 20 replies in progress. */
const AT_ONCE = 16;
/**
 * Paced: each token arrives in its own chunk. Long replies show the cost of a further token,
 * without that of a reply.
 */
const PACES = [
  { pace: "burst", delay: 0, total: 192, tokens: 200 },
  { pace: "long", delay: 0, total: 64, tokens: 2_000 },
  { pace: "paced", delay: 5, total: 64, tokens: 200 },
];
const messages = [{ role: "user", content: "hello" }];

/**
 * Measures streamed replies of the completion service, the agent loop and a conversation against
 * a bare byte pipe to the same provider: in a burst, and paced at one token a chunk.
 */
export async function streamed(
  stage: Stage,
): Promise<Record<string, Record<string, number>>> {
  const agent = new Agent({ connections: 128 });
  const tools = await startToolServer({ echo: { run: () => text("hello") } });
  const results: Record<string, Record<string, number>> = {};
  for (const { pace, delay, total, tokens } of PACES) {
    const provider = await stage.processes.start([
      "test/support/fake-provider/main.ts",
      "--tokens",
      String(tokens),
      "--delay",
      String(delay),
      "--tool",
      "echo",
    ]);
    const pipe = await stage.processes.start(["bench/pipe.ts", String(provider.port)]);
    const parlance = await startServer(
      stage,
      pace,
      `http://127.0.0.1:${provider.port}/v1`,
      tools.url,
    );
    await toolListed(parlance, "echo");
    const authorization = `Bearer ${await signIn(parlance, agent)}`;
    const to = (path: string, name: string, body: object, headers = {}): Target => ({
      name,
      url: `http://127.0.0.1:${parlance.port}${path}`,
      headers,
      body,
      pid: parlance.pid,
      tokens,
    });
    const run = { model: "openai/gpt-test", messages };
    const targets: Target[] = [
      {
        name: "byte pipe",
        url: `http://127.0.0.1:${pipe.port}/v1/chat/completions`,
        body: { model: "m", messages, stream: true },
        pid: pipe.pid,
        tokens,
      },
      to(
        "/api/v1/completions",
        "POST /completions",
        { model: "openai/gpt-test", messages },
        { authorization: `Bearer ${SECRET}` },
      ),
      to("/api/v1/agent/run", "POST /agent/run", run, AS_SERVICE),
      to(
        "/api/v1/agent/run",
        "POST /agent/run, one tool call",
        { ...run, tools: ["echo"] },
        AS_SERVICE,
      ),
      to(
        "/api/v1/conversation",
        "POST /conversation",
        { model: "openai/gpt-test", content: "hello" },
        { authorization },
      ),
    ];
    const figures = await interleaved(
      targets.map((target) => replies(agent, target, { total, atOnce: AT_ONCE })),
      stage.rounds,
    );
    for (const [name, values] of Object.entries(figures))
      results[name] = {
        ...results[name],
        ...Object.fromEntries(
          Object.entries(values).map(([figure, value]) => [`${figure}, ${pace}`, value]),
        ),
      };
  }
  await tools[Symbol.asyncDispose]();
  await agent.destroy();
  return results;
}
