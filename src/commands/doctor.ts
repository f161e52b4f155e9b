import { call } from "../platform/http/call.ts";
import type { RouteOk } from "../platform/http/route.ts";
import { SERVICES, type ServedName, startHouse } from "../house/compose.ts";
import { houseContract } from "../house/contract.ts";
import { silentLog } from "../platform/telemetry/log.ts";
import { clientTo } from "./client.ts";

/** Checks what the house needs and says what to do. Asks a running house; without one it starts everything on a free port, looks, and stops. */
export async function doctor(env: NodeJS.ProcessEnv): Promise<number> {
  console.log(`Node ${process.version}`);
  const running = await call(clientTo({}, env), houseContract.health, {}, { timeoutMs: 3_000 }).catch(() => undefined);
  if (running) {
    console.log("A house is running; this is what it says of itself:");
    return report(running);
  }
  console.log("No house is running here; starting one to look at it.");
  await using house = await startHouse({
    services: Object.keys(SERVICES) as ServedName[],
    env: { ...env, PORT: "0", INTERNAL_PORT: "0" },
    log: silentLog(),
  });
  console.log("✓ configuration");
  for (const line of await house.welcome()) console.log(`  ${line}`);
  const response = await house.app.fetch(new Request("http://localhost/api/v1/health"), { door: "sibling", peer: "" });
  return report(houseContract.health.ok?.parse(await response.json()));
}

type Health = RouteOk<typeof houseContract.health>;

function report(health: Health | undefined): number {
  if (!health) return 1;
  for (const [name, { status, latencyMs, detail }] of Object.entries(health.checks)) {
    console.log(
      `${status === "ok" ? "✓" : status === "degraded" ? "!" : "✗"} ${name} (${latencyMs} ms)${detail ? ` – ${detail} ${ADVICE[name] ?? ""}` : ""}`,
    );
  }
  return health.status === "down" ? 1 : 0;
}

const ADVICE: Record<string, string> = {
  database: "Check DATABASE_URL, or that DATA_DIR can be written and is used by no other process.",
  queue: "Check AMQP_URL and that RabbitMQ runs.",
  cache: "Check REDIS_URL and that Redis runs.",
  "file storage": "Check S3_ENDPOINT, S3_BUCKET and its keys, and that they may list and write.",
  "tool servers": "Check their addresses; private ones must be in OUTGOING_ALLOW.",
};
