import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";
import { AS_SERVICE, type Stage, signIn, startServer } from "./server.ts";
import { residentBytes } from "./streams.ts";

const STREAMS = 1_000;
const MEGABYTE = 2 ** 20;

/**
 * Measures resident memory with 1,000 slow open replies, through core, completion and the event
 * log, against a byte pipe.
 */
export async function memoryOfStreams(
  stage: Stage,
): Promise<Record<string, Record<string, number>>> {
  const agent = new Agent({
    connections: STREAMS + 10,
    headersTimeout: 120_000,
    bodyTimeout: 120_000,
  });
  const provider = await stage.processes.start([
    "test/support/fake-provider/main.ts",
    "--tokens",
    "2000",
    "--delay",
    "500",
  ]);
  const pipe = await stage.processes.start(["bench/pipe.ts", String(provider.port)]);
  const parlance = await startServer(
    stage,
    "memory",
    `http://127.0.0.1:${provider.port}/v1`,
  );
  const results: Record<string, Record<string, number>> = {};
  const idle = residentBytes(parlance.pid) / MEGABYTE;
  const measure = async (
    name: string,
    pid: number,
    url: string,
    body: object,
    headers: Record<string, string> = {},
  ) => {
    const before = residentBytes(pid);
    const open = await Promise.all(
      Array.from({ length: STREAMS }, () =>
        request(url, {
          method: "POST",
          dispatcher: agent,
          headers: { "content-type": "application/json", ...headers },
          body: JSON.stringify(body),
        }),
      ),
    );
    let heard = 0;
    for (const answer of open) answer.body.once("data", () => (heard += 1));
    for (const answer of open) answer.body.on("error", () => {});
    await sleep(20_000);
    const used = (residentBytes(pid) - before) / MEGABYTE;
    results[name] = {
      "MB a 100 streams": used / (STREAMS / 100),
      "streams held": heard,
      "MB resident, idle": name === "byte pipe" ? before / MEGABYTE : idle,
    };
    for (const answer of open) answer.body.destroy();
    await sleep(2_000);
  };
  const messages = [{ role: "user", content: "hello" }];
  await measure(
    "byte pipe",
    pipe.pid,
    `http://127.0.0.1:${pipe.port}/v1/chat/completions`,
    {
      model: "m",
      messages,
      stream: true,
    },
  );
  await measure(
    "POST /agent/run",
    parlance.pid,
    `http://127.0.0.1:${parlance.port}/api/v1/agent/run`,
    { model: "openai/gpt-test", messages },
    AS_SERVICE,
  );
  await signIn(parlance, agent);
  await agent.destroy();
  return results;
}
