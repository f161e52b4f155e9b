import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { type FileHandle, open } from "node:fs/promises";
import { READY, type TaskAnswer, type TaskMessage } from "./messages.ts";

const START_MS = 60_000;

/** @throws Error when the process ends, or is not ready in time; then it is killed. */
export function whenReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (then: () => void) => {
      clearTimeout(late);
      child.off("message", onMessage).off("exit", fail).off("error", fail);
      then();
    };
    const onMessage = (message: unknown) => message === READY && settle(resolve);
    const fail = (reason: unknown) => {
      child.kill("SIGKILL");
      settle(() => reject(new Error(`a worker process did not start (${String(reason)})`)));
    };
    const late = setTimeout(() => fail("too slow"), START_MS);
    child.on("message", onMessage).on("exit", fail).on("error", fail);
  });
}

type WhyEnded = (code: number | null, signal: NodeJS.Signals | null) => Error;

interface SentTask extends Omit<TaskMessage, "size"> {
  /** The file whose bytes the task gets. */
  path?: string | undefined;
}

/**
 * Sends a task, and the bytes of its file, to a process.
 * @throws what `whyEnded` returns when the process ends before it answers.
 */
export async function askProcess(
  child: ChildProcess,
  { path, ...asked }: SentTask,
  whyEnded: WhyEnded,
): Promise<TaskAnswer> {
  if (path === undefined) return ask(child, { ...asked, size: 0 }, whyEnded);
  await using file = await open(path);
  const { size } = await file.stat();
  const answered = new AbortController();
  try {
    const answer = ask(child, { ...asked, size }, whyEnded);
    if (size > 0) void sendBytes(child, file, { size, signal: answered.signal });
    return await answer;
  } finally {
    answered.abort();
  }
}

interface Sending {
  size: number;
  /** Ends the wait for a process that has answered. */
  signal: AbortSignal;
}

/** A process that would wait for missing bytes is ended. */
async function sendBytes(
  child: ChildProcess,
  file: FileHandle,
  { size, signal }: Sending,
): Promise<void> {
  const { stdin } = child;
  try {
    for await (const chunk of file.createReadStream({ end: size - 1, autoClose: false }))
      if (stdin?.write(chunk) === false) await once(stdin, "drain", { signal });
  } catch {
    if (!signal.aborted) child.kill("SIGKILL");
  }
}

function ask(
  child: ChildProcess,
  message: TaskMessage,
  whyEnded: WhyEnded,
): Promise<TaskAnswer> {
  return new Promise((resolve, reject) => {
    const stop = () => child.off("message", onMessage).off("exit", onExit);
    const onMessage = (received: unknown) => {
      const answer = received as TaskAnswer; // only `serve-tasks.ts` sends
      if (answer.id !== message.id) return;
      stop();
      resolve(answer);
    };
    const onExit: (...how: Parameters<WhyEnded>) => void = (code, signal) => {
      stop();
      reject(whyEnded(code, signal));
    };
    child.on("message", onMessage).on("exit", onExit);
    // one that it wraps may outlive it for a moment, and keeps the channel open without an answer
    if (hasExited(child) || !child.connected)
      return onExit(child.exitCode, child.signalCode);
    child.send(message, (error) => error && onExit(child.exitCode, child.signalCode));
  });
}

function hasExited({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
