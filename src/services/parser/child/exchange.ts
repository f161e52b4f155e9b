import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { type FileHandle, open } from "node:fs/promises";
import type { ApiError } from "../../../platform/http/errors.ts";
import { failureOf } from "./child-failures.ts";
import type { TaskAnswer, TaskMessage } from "./tasks.ts";

type Ended = (code: number | null, signal: NodeJS.Signals | null) => ApiError;

interface Request extends Omit<TaskMessage, "size"> {
  path?: string | undefined;
}

/** Sends a task, and the bytes of its file, to a process. @returns the task's result. */
export async function exchange(
  child: ChildProcess,
  { path, ...request }: Request,
  why: Ended,
): Promise<unknown> {
  if (path === undefined) return ask(child, { ...request, size: 0 }, why);
  await using file = await open(path);
  const { size } = await file.stat();
  const answered = new AbortController();
  try {
    const answer = ask(child, { ...request, size }, why);
    if (size > 0) void sendBytes(child, file, { size, signal: answered.signal });
    return await answer;
  } finally {
    answered.abort();
  }
}

interface Sending {
  size: number;
  /** Fails the tasks that still wait for the process. */
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

function ask(child: ChildProcess, message: TaskMessage, why: Ended): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const settle = (then: () => void) => {
      child.off("message", onMessage).off("exit", onExit);
      then();
    };
    const onMessage = (received: unknown) => {
      const answer = received as TaskAnswer; // only `serveTasks` sends
      if (answer.id !== message.id) return;
      settle(() => (answer.ok ? resolve(answer.result) : reject(failureOf(answer.error))));
    };
    const onExit: (...how: Parameters<Ended>) => void = (code, signal) =>
      settle(() => reject(why(code, signal)));
    child.on("message", onMessage).on("exit", onExit);
    if (!child.connected) return onExit(child.exitCode, child.signalCode);
    child.send(message, (error) => error && onExit(child.exitCode, child.signalCode));
  });
}
