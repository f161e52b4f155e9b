import { type RunningServer, startServer } from "../server/compose.ts";
import { SERVICES, type ServedName } from "../server/services.ts";

/**
 * After a fault that nothing caught: what runs may end so long, and the process is gone by then.
 * Source: security row 38.
 */
const [DRAIN_MS, LAST_WORDS_MS] = [1_000, 5_000];

/**
 * Runs services until SIGTERM or SIGINT; then lets what runs end, bounded by SHUTDOWN_TIMEOUT. A
 * second signal ends at once.
 */
export async function serve(names: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const unknown = names.filter((name) => !(name in SERVICES));
  if (unknown.length > 0)
    throw new Error(
      `There is no service ${unknown.join(", ")}. There are: ${Object.keys(SERVICES).join(", ")}.`,
    );
  const services = names as ServedName[]; // each was looked up above
  const parlance = await startServer({ ...(services.length > 0 && { services }), env });
  // nobody knows in what state it left things, so the process ends, after a last word to those who
  // wait; a supervisor starts it again
  let fallen: Promise<void> | undefined;
  process.on("uncaughtException", (fault) => {
    console.error("uncaught exception:", fault);
    fallen ??= endAfterFault(parlance);
  });
  for (const line of await parlance.welcome()) console.log(line);
  if (parlance.internalUrl) console.log(`Services, without a credential: ${parlance.internalUrl}`);
  console.log(`API: ${parlance.url}/docs`);
  console.log(`Parlance is ready at ${parlance.url}`);

  // one request's fault is no reason to end everybody's; it is logged, with the stack
  process.on("unhandledRejection", (error) => console.error("unhandled rejection:", error));
  await signalled();
  console.log("Shutting down: running work may end first.");
  void signalled().then(() => process.exit(130));
  await parlance[Symbol.asyncDispose]();
  process.exit(0);
}

async function endAfterFault(parlance: RunningServer): Promise<void> {
  setTimeout(() => process.exit(1), LAST_WORDS_MS);
  try {
    await parlance.end(DRAIN_MS);
  } catch (failure) {
    console.error("the server did not end:", failure);
  }
  process.exit(1);
}

function signalled(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => resolve());
  });
}
