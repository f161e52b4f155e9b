import { type ChildProcess, spawn } from "node:child_process";
import { setImmediate } from "node:timers/promises";
import type { Readable, Writable } from "node:stream";
import type { Isolation } from "../../platform/isolation/isolation.ts";
import { lowerPriority } from "../../platform/isolation/lower-priority.ts";
import { processChain } from "../../platform/isolation/process-chain.ts";
import type { MemoryLimit } from "../../platform/workers/memory-limit.ts";
import { endsWithin } from "../../platform/within.ts";
import type { Engine } from "./engines/engine.ts";
import {
  CHUNK_BYTES,
  encodeBytes,
  encodeMessage,
  type Frame,
  readFrames,
} from "./frames.ts";
import {
  MAX_CALL_MS,
  MAX_FILES,
  MAX_FILES_BYTES,
  MAX_MEMORY_BYTES,
  MAX_OUTPUT_CHARACTERS,
  MAX_PROCESSOR_MS,
} from "./contract-limits.ts";
import type { Printed } from "./contract.ts";
import { type Command, Report } from "./messages.ts";
import {
  type Limits,
  type Over,
  prioritise,
  rest,
  wake,
  watch,
} from "./watch-processes.ts";

export type Ending = Over | "output" | "crash" | "cancelled";

export interface Left {
  name: string;
  reason: Extract<Report, { type: "left" }>["reason"];
}

export interface Ran {
  output: Printed[];
  /** What went wrong in the code, as the interpreter says it. */
  error?: string | undefined;
  /** Why the call ended before the code did. */
  ending?: Ending | undefined;
  left: Left[];
}

export interface SessionProcess {
  readonly version: string;
  readonly ended: boolean;
  readonly exited: Promise<void>;
  /** Puts a file into the folder. */
  put(name: string, size: number, body: AsyncIterable<Uint8Array>): Promise<void>;
  /** `onFile` gets each file that the code wrote, and takes all of its bytes. */
  run(
    code: string,
    options: {
      onFile(name: string, size: number, body: AsyncIterable<Buffer>): Promise<void>;
      /** Gets what the code prints, when it does. */
      onOutput?: ((part: Printed) => void) | undefined;
      signal: AbortSignal;
    },
  ): Promise<Ran>;
  end(): Promise<void>;
}

export const LIMITS: Limits = {
  processorMs: MAX_PROCESSOR_MS,
  callMs: MAX_CALL_MS,
  memoryBytes: MAX_MEMORY_BYTES,
};

const START_MS = 60_000;
/** After its last word. */
const END_MS = 500;
const MAX_LEFT = 100;
/** What the process of an interpreter prints beside its reports, for the log. */
const MAX_NOISE_CHARACTERS = 2_000;

interface Options {
  engine: Engine;
  isolation: Isolation;
  memory: MemoryLimit;
  limits: Limits;
  /** Ends the start, and not the session. */
  signal: AbortSignal;
}

/**
 * Starts an interpreter in isolation. It may be taken over by the code that it runs, so nothing
 * that it says is trusted: reports are checked, counted and bounded.
 * @throws Error when it does not start.
 */
export async function startSession({
  engine,
  isolation,
  memory,
  limits,
  signal: startSignal,
}: Options): Promise<SessionProcess> {
  const { file, args, environment } = await engine.start(isolation);
  const child = spawn(file, args, {
    env: { ...environment },
    stdio: ["ignore", "pipe", "pipe", "pipe", "pipe"],
  });
  const root = child.pid;
  let ended = false;
  let ending: Ending | undefined;
  const exited = new Promise<void>((resolve) => {
    const end = () => {
      ended = true;
      resolve();
    };
    child.once("exit", end).once("error", end);
  });
  const kill = (why: Ending) => {
    ending ??= why;
    child.kill("SIGKILL");
  };
  const commands = child.stdio[4] as Writable;
  commands.on("error", () => {});
  if (root === undefined) throw new Error(`${file} does not start`);
  void lowerPriority(root);
  // where the kernel refuses a limit, the watch of each call has one
  const held = await memory.hold(root, () => kill("memory")).catch(() => undefined);
  void exited.then(() => held?.release());

  let printed: ((part: Printed) => void) | undefined;
  let noise = "";
  for (const stream of ["stdout", "stderr"] as const)
    child[stream]?.setEncoding("utf8").on("data", (text: string) => {
      if (printed) printed({ stream, text });
      else noise = (noise + text).slice(-MAX_NOISE_CHARACTERS);
    });
  const frames = readFrames(child.stdio[3] as Readable);
  const late = setTimeout(() => kill("crash"), START_MS);
  using _ = killWhenAborted(startSignal, kill);
  // whatever it sends instead, it is no interpreter that is ready, which the error below says
  const first = await nextReport(frames).catch(() => undefined);
  clearTimeout(late);
  if (first?.type !== "ready") {
    kill("crash");
    await exited;
    throw new Error(`an interpreter does not start: ${noise}`);
  }
  const chain = await processChain(root);
  // once more: it may have a session of its own by now
  prioritise(chain, "below");
  // nothing runs between two calls, also not what the code left behind
  await rest(root, chain);

  const run: SessionProcess["run"] = async (code, { onFile, onOutput, signal }) => {
    const ran: Ran = { output: [], left: [] };
    let characters = 0;
    printed = ({ stream, text }) => {
      const part = text.slice(0, MAX_OUTPUT_CHARACTERS - characters);
      characters += part.length;
      const last = ran.output.at(-1);
      if (last?.stream === stream) last.text += part;
      else if (part) ran.output.push({ stream, text: part });
      if (part) onOutput?.({ stream, text: part });
      if (part.length < text.length) kill("output");
    };
    const cancelling = killWhenAborted(signal, kill);
    const watched = await watch(root, limits, kill);
    try {
      wake(chain);
      send(commands, { type: "run", code });
      await take(ran, onFile);
    } catch {
      // it has ended, or what it says makes no sense; what it prints now is about that
      printed = undefined;
      await endsWithin(END_MS, exited);
      // the kernel ends what takes more memory than a control group permits
      if (ended) ending ??= wasKilled(child) ? "memory" : "crash";
      kill("crash");
    } finally {
      watched[Symbol.dispose]();
      cancelling[Symbol.dispose]();
    }
    if (ending === undefined) await rest(root, chain).catch(() => kill("crash"));
    // what programs of the code wrote comes by pipes of their own, maybe after the last report
    await setImmediate();
    printed = undefined;
    if (ending !== undefined) await exited;
    if (ending !== undefined) dropWordOfShell(ran.output);
    return { ...ran, ending: ran.ending ?? ending };
  };

  async function take(
    ran: Ran,
    onFile: Parameters<SessionProcess["run"]>[1]["onFile"],
  ): Promise<void> {
    let count = 0;
    let bytes = 0;
    for (;;) {
      const report = await nextReport(frames);
      if (report.type === "output") printed?.(report);
      else if (report.type === "left" && ran.left.length < MAX_LEFT) ran.left.push(report);
      else if (report.type === "file") {
        count += 1;
        bytes += report.size;
        if (count > MAX_FILES || bytes > MAX_FILES_BYTES) throw new Error("too many files");
        const body = takeBytes(frames, report.size);
        await onFile(report.name, report.size, body);
        // what nobody read stands before the next report
        for await (const _ of body);
      } else if (report.type === "done") {
        ran.error = report.error;
        if (report.isOverOutput) ran.ending = "output";
        return;
      } else if (report.type === "ready") throw new Error("it is ready already");
    }
  }

  return {
    version: first.version,
    get ended() {
      return ended || ending !== undefined;
    },
    exited,
    async put(name, size, body) {
      wake(chain);
      send(commands, { type: "put", name, size });
      let left = size;
      for await (const chunk of body)
        for (let at = 0; at < chunk.byteLength && left > 0; at += CHUNK_BYTES) {
          const part = chunk.subarray(at, Math.min(at + CHUNK_BYTES, at + left));
          left -= part.byteLength;
          await write(commands, encodeBytes(part), exited);
        }
      if (left > 0) kill("crash");
    },
    run,
    async end() {
      kill("cancelled");
      await exited;
    },
  };
}

function killWhenAborted(signal: AbortSignal, kill: (why: Ending) => void): Disposable {
  const cancel = () => kill("cancelled");
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  return { [Symbol.dispose]: () => signal.removeEventListener("abort", cancel) };
}

/** @throws Error for what is no report, or when there are no more. */
async function nextReport(frames: AsyncGenerator<Frame>): Promise<Report> {
  const { value, done } = await frames.next();
  if (done || value.kind !== "message") throw new Error("no report");
  return Report.parse(JSON.parse(value.payload.toString("utf8")));
}

async function* takeBytes(
  frames: AsyncGenerator<Frame>,
  size: number,
): AsyncGenerator<Buffer> {
  for (let left = size; left > 0;) {
    const { value, done } = await frames.next();
    if (done || value.kind !== "bytes" || value.payload.byteLength > left)
      throw new Error("no bytes of the file");
    left -= value.payload.byteLength;
    yield value.payload;
  }
}

function send(commands: Writable, command: Command): void {
  commands.write(encodeMessage(command));
}

async function write(commands: Writable, bytes: Buffer, exited: Promise<void>) {
  if (!commands.writable || commands.write(bytes)) return;
  const drained = new Promise<void>((resolve) => commands.once("drain", resolve));
  await Promise.race([drained, exited]);
}

/** The shell around the interpreter says on its standard error that it was killed. */
function dropWordOfShell(output: Printed[]): void {
  const last = output.at(-1);
  if (last?.stream !== "stderr" || !last.text.endsWith("Killed\n")) return;
  last.text = last.text.slice(0, -"Killed\n".length);
  if (last.text === "") output.pop();
}

/** The exit code of a wrapper whose process was killed: 128 and SIGKILL. */
const KILLED = 137;

function wasKilled({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === KILLED || signalCode === "SIGKILL";
}
