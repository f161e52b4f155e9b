import { setTimeout as sleep } from "node:timers/promises";
import { ApiError } from "../../platform/http/errors.ts";
import { toErrorEvent } from "../../platform/http/reported-error.ts";
import type { CodeEvent, CodeResult, Printed } from "./contract.ts";

/** Code may print each character by itself. */
const INTERVAL_MS = 250;

type Run = (onOutput: (part: Printed) => void) => Promise<CodeResult>;

/**
 * What a run prints, a few times a second, and its result.
 * @throws ApiError when it fails before it has printed anything; later failures are events.
 */
export async function* streamRun(
  run: Run,
  signal: AbortSignal,
): AsyncGenerator<CodeEvent[]> {
  const gathered: Printed[] = [];
  let hasSent = false;
  let wake = () => {};
  const running = run((part) => {
    gather(gathered, part);
    wake();
  });
  const ended = running.then(
    () => true,
    () => true,
  );
  for (;;) {
    const printed = new Promise<boolean>((resolve) => (wake = () => resolve(false)));
    if (gathered.length === 0 && (await Promise.race([ended, printed]))) break;
    yield [{ type: "output", output: gathered.splice(0) }];
    hasSent = true;
    if (await Promise.race([ended, pause(signal)])) break;
  }
  if (gathered.length > 0) yield [{ type: "output", output: gathered.splice(0) }];
  try {
    yield [{ type: "done", result: await running }];
  } catch (error) {
    if (signal.aborted || !hasSent || !(error instanceof ApiError)) throw error;
    yield [toErrorEvent(error)];
  }
}

async function pause(signal: AbortSignal): Promise<boolean> {
  // the run ends with the signal
  await sleep(INTERVAL_MS, undefined, { signal }).catch(() => {});
  return false;
}

function gather(gathered: Printed[], { stream, text }: Printed): void {
  const last = gathered.at(-1);
  if (last?.stream === stream) last.text += text;
  else gathered.push({ stream, text });
}
