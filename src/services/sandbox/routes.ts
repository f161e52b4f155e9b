import { reportError } from "../../platform/http/reported-error.ts";
import { Routes } from "../../platform/http/routes.ts";
import { ndjsonStream } from "../../platform/http/stream.ts";
import { type CodeEvent, sandboxContract as contract } from "./contract.ts";
import type { Sandbox } from "./open-sandbox.ts";
import { runCode, type RunDeps } from "./run-code.ts";
import { streamRun } from "./stream-run.ts";

interface Deps extends Omit<RunDeps, "sessions"> {
  sandbox: Sandbox;
}

export function sandboxRoutes({ sandbox, ...deps }: Deps): Routes {
  const { sessions, packages } = sandbox;
  return new Routes()
    .on(contract.sandboxState, async () => {
      const lack = await sandbox.lacks();
      return { packages, ...(lack && { lack: reportError(lack) }) };
    })
    .on(contract.runCode, async ({ body, signal }) => {
      const events = streamRun(
        (onOutput) => runCode({ ...deps, sessions }, body, signal, onOutput),
        signal,
      );
      // what fails before it prints is an HTTP error, not an event of a stream
      const first = await events.next();
      return ndjsonStream(withFirst(first.done ? [] : first.value, events));
    });
}

async function* withFirst(
  first: CodeEvent[],
  rest: AsyncGenerator<CodeEvent[]>,
): AsyncGenerator<CodeEvent[]> {
  yield first;
  yield* rest;
}
