import { setTimeout as sleep } from "node:timers/promises";
import { Agent } from "undici";
import { SERVICES } from "../src/server/services.ts";
import { type Contender, interleaved } from "./measure.ts";
import type { Running } from "./processes.ts";
import { AS_SERVICE, type Stage, signIn, startServer } from "./server.ts";
import { processorSeconds, replies, residentBytes } from "./streams.ts";

/** The services whose abilities nobody uses here: the web, and code. */
const ABILITIES = ["web", "sandbox"];
const WITHOUT = "without their services";
const MEGABYTE = 2 ** 20;
/** A process counts as idle after this time. */
const IDLE_AFTER_MS = 15_000;
const TOKENS = 200;

/**
 * Measures what abilities cost that nobody uses: a first start, an idle process, runs of agents and
 * replies, with all services and without those of the abilities.
 */
export async function unusedAbilities(
  stage: Stage,
): Promise<Record<string, Record<string, number>>> {
  const agent = new Agent({ connections: 64 });
  const provider = await stage.processes.start([
    "test/support/fake-provider/main.ts",
    "--tokens",
    String(TOKENS),
  ]);
  const providerUrl = `http://127.0.0.1:${provider.port}/v1`;
  const all = Object.keys(SERVICES);
  const others = all.filter((name) => !ABILITIES.includes(name));
  const contenders = [
    { name: WITHOUT, services: others },
    // named as the others are: a process of all by default does more than its services
    { name: "with all services", services: all },
  ];
  let folders = 0;
  const start = (services: readonly string[]) =>
    startServer(stage, `unused-${(folders += 1)}`, providerUrl, undefined, {}, services);
  const started = await interleaved(
    contenders.map(({ name, services }) => ({
      name,
      run: () => firstStart(stage, () => start(services)),
    })),
    stage.rounds,
  );
  const running = await Promise.all(
    contenders.map(async ({ name, services }) => ({
      name,
      server: await start(services),
    })),
  );
  for (const [path, measured] of [
    ["/api/v1/agent/run", { model: "openai/gpt-test", messages: [HELLO] }],
    ["/api/v1/conversation", { model: "openai/gpt-test", content: HELLO.content }],
  ] as const) {
    const targets = await Promise.all(
      running.map(({ name, server }) => repliesOf(agent, { name, server, path, measured })),
    );
    const figures = await interleaved(targets, stage.rounds);
    for (const [name, values] of Object.entries(figures))
      (started[name] ??= {})[`µs of processor a token, ${path}`] =
        values["µs of processor a token"] ?? Number.NaN;
  }
  await agent.destroy();
  return started;
}

export const floorOfUnused = WITHOUT;

const HELLO = { role: "user", content: "hello" } as const;

async function firstStart(
  { processes }: Stage,
  start: () => Promise<Running>,
): Promise<Record<string, number>> {
  const began = performance.now();
  const { pid } = await start();
  const seconds = (performance.now() - began) / 1000;
  const processor = processorSeconds(pid);
  await sleep(IDLE_AFTER_MS);
  const resident = residentBytes(pid) / MEGABYTE;
  await processes.stop(pid);
  return {
    "seconds until ready, first start": seconds,
    "seconds of processor until ready": processor,
    "MB resident, idle": resident,
  };
}

interface Asked {
  name: string;
  server: Running;
  path: string;
  measured: object;
}

async function repliesOf(
  agent: Agent,
  { name, server, path, measured }: Asked,
): Promise<Contender> {
  const headers = path.endsWith("/run")
    ? AS_SERVICE
    : { authorization: `Bearer ${await signIn(server, agent)}` };
  const url = `http://127.0.0.1:${server.port}${path}`;
  const target = { name, url, headers, body: measured, pid: server.pid, tokens: TOKENS };
  return replies(agent, target, { total: 640, atOnce: 16 });
}
