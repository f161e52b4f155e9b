import type { Files } from "../../../platform/files/files.ts";
import { call, type Fetch, stream } from "../../../platform/http/call.ts";
import type { RouteInput } from "../../../platform/http/route.ts";
import { ApiError, Unavailable } from "../../../platform/http/errors.ts";
import { toApiError } from "../../../platform/http/reported-error.ts";
import { MAX_CALL_MS, MAX_FILES_BYTES } from "../../sandbox/contract-limits.ts";
import {
  type CodeResult,
  type InputFile,
  type Language,
  MAX_INPUT_FILES,
  type Printed,
  sandboxContract,
} from "../../sandbox/contract.ts";
import { listFolder, type FolderDeps } from "./folder.ts";
import {
  type ConversationFile,
  keepFiles,
  releaseKeys,
  reserveKeys,
} from "./stored-files.ts";

const LOOK_UP_TIMEOUT_MS = 15_000;
/** A call may wait for its turn before it runs. */
const TIMEOUT_MS = MAX_CALL_MS + 180_000;
const RETRY_AFTER_MS = 30_000;

/** Code that a reply runs in the session of its conversation. */
export interface Code {
  files: Files;
  /** Returns why no code can be run here. */
  lacks(signal: AbortSignal): Promise<ApiError | undefined>;
  /** @throws ApiError of the sandbox, `sandbox_unavailable`, `code_files_quota`. */
  run(
    asked: CodeToRun,
    signal: AbortSignal,
    onOutput?: (output: readonly Printed[]) => void,
  ): Promise<RanCode>;
}

export interface CodeToRun {
  userId: string;
  conversationId: string;
  language: Language;
  code: string;
}

export interface RanCode extends Omit<CodeResult, "files"> {
  /** What the code wrote, as files of the conversation. */
  written: ConversationFile[];
  /** The names of what it could read. */
  given: string[];
}

interface Deps extends FolderDeps {
  files: Files;
  sandbox: Fetch;
  maxBytes: number;
}

export function createCode(deps: Deps): Code {
  const { db, files, sandbox, maxBytes } = deps;
  return {
    files,
    async lacks(signal) {
      const options = { signal, timeoutMs: LOOK_UP_TIMEOUT_MS };
      try {
        const { lack } = await call(sandbox, sandboxContract.sandboxState, {}, options);
        return lack && new ApiError(503, lack.code, lack.error, { params: lack.params });
      } catch (error) {
        signal.throwIfAborted();
        return codeUnavailable(error);
      }
    },
    async run({ userId, conversationId, language, code }, signal, onOutput) {
      const given = await listInput(deps, userId, conversationId);
      const prefix = await reserveKeys(db);
      try {
        const body = {
          userId,
          conversationId,
          language,
          code,
          files: given,
          storeUnder: prefix,
        };
        const { files: written, ...ran } = await runInSandbox(
          sandbox,
          body,
          signal,
          onOutput,
        );
        const kept = await keepFiles(db, { conversationId, prefix, maxBytes }, written);
        return { ...ran, written: kept, given: given.map(({ name }) => name) };
      } catch (error) {
        await releaseKeys(db, prefix);
        throw error;
      }
    },
  };
}

type RunBody = RouteInput<typeof sandboxContract.runCode>["body"];

async function runInSandbox(
  sandbox: Fetch,
  body: RunBody,
  signal: AbortSignal,
  onOutput: (output: readonly Printed[]) => void = () => {},
): Promise<CodeResult> {
  const options = { signal, timeoutMs: TIMEOUT_MS };
  const batches = stream(sandbox, sandboxContract.runCode, { body }, options);
  for await (const batch of batches)
    for (const event of batch) {
      if (event.type === "error") throw toApiError(event);
      if (event.type === "done") return event.result;
      onOutput(event.output);
    }
  throw codeUnavailable();
}

export function codeUnavailable(cause?: unknown): Unavailable {
  return new Unavailable(
    "code_unavailable",
    "Code cannot be run now. Try again in a moment, or ask an administrator whether the " +
      "sandbox service runs.",
    RETRY_AFTER_MS,
    { cause },
  );
}

/** What code can read. */
async function listInput(
  deps: Deps,
  userId: string,
  conversationId: string,
): Promise<InputFile[]> {
  const found = await listFolder(deps, userId, conversationId);
  return fit(found.map(({ name, size, version, from }) => ({ name, size, version, from })));
}

/** Those that a session has room for: the last ones go without. */
function fit(files: readonly InputFile[]): InputFile[] {
  let room = MAX_FILES_BYTES;
  const fitting = files.filter(({ size }) => {
    if (size > room) return false;
    room -= size;
    return true;
  });
  return fitting.slice(0, MAX_INPUT_FILES);
}
