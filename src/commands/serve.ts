import { collectWhenIdle } from "../platform/collect-when-idle.ts";
import { type RunningServer, startServer } from "../server/compose.ts";
import { opensInternally } from "../server/listeners.ts";
import { SERVICES, type ServedName } from "../server/services.ts";

/** After an uncaught exception: the time that requests in progress have to end. */
const FAULT_DRAIN_MS = 1_000;
/** After an uncaught exception: the process exits by then, whatever still runs. */
const FAULT_EXIT_MS = 5_000;

/**
 * Runs services until SIGTERM or SIGINT. Then requests and jobs have SHUTDOWN_TIMEOUT to end; a
 * second signal exits at once.
 */
export async function serve(names: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const unknown = names.filter((name) => !Object.hasOwn(SERVICES, name));
  if (unknown.length > 0)
    throw new Error(
      `Unknown service: ${unknown.join(", ")}. Choose from: ${Object.keys(SERVICES).join(", ")}.`,
    );
  const services = names as ServedName[]; // the check above rejects other names
  const parlance = await startServer({ ...(services.length > 0 && { services }), env });
  using _ = collectWhenIdle();
  // the state of the process is unknown, so it exits after a short drain; a supervisor restarts it
  let ending: Promise<void> | undefined;
  process.on("uncaughtException", (fault) => {
    console.error("uncaught exception:", fault);
    ending ??= endAfterFault(parlance);
  });
  for (const line of await parlance.startupMessages()) console.log(line);
  // a person who starts it at a terminal opens the page; programs look for the other addresses
  const isForPeople = process.stdout.isTTY;
  if (parlance.internalUrl && !isForPeople)
    console.log(
      `Internal routes, ${opensInternally(parlance.config) ? "without a credential" : "with the service secret"}: ${parlance.internalUrl}`,
    );
  if (!isForPeople) console.log(`API: ${parlance.url}/docs`);
  console.log(`Parlance is ready at ${parlance.url}`);

  // one failed request must not end the others: the error is logged with its stack
  process.on("unhandledRejection", (error) => console.error("unhandled rejection:", error));
  await stopSignal();
  console.log("Shutting down: waiting for requests and jobs in progress.");
  void stopSignal().then(() => process.exit(130));
  await parlance[Symbol.asyncDispose]();
  process.exit(0);
}

async function endAfterFault(parlance: RunningServer): Promise<void> {
  setTimeout(() => process.exit(1), FAULT_EXIT_MS);
  try {
    await parlance.end(FAULT_DRAIN_MS);
  } catch (failure) {
    console.error("the server did not shut down cleanly:", failure);
  }
  process.exit(1);
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const)
      process.once(signal, () => resolve());
  });
}
