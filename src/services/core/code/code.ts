import { createHash } from "node:crypto";
import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
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
/** Is the same for all calls of a user, so that a load balancer can send them to one process. */
const AFFINITY_HEADER = "x-platform-affinity";

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

export interface RanCode extends Omit<CodeResult, "files" | "session"> {
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
    async run(asked, signal, onOutput) {
      const { userId, conversationId } = asked;
      const previous = await findSession(db, asked);
      const given = await listInput(deps, userId, conversationId);
      const prefix = await reserveKeys(db);
      try {
        const body = {
          ...asked,
          ...(previous !== undefined && { previousSession: previous }),
          files: given,
          storeUnder: prefix,
        };
        const {
          files: written,
          session,
          ...ran
        } = await runInSandbox(sandbox, body, signal, onOutput);
        const goesOn = await storeSession(db, asked, { previous, session });
        const kept = await keepFiles(db, { conversationId, prefix, maxBytes }, written);
        return {
          ...ran,
          isLost: ran.isLost || !goesOn,
          written: kept,
          given: given.map(({ name }) => name),
        };
      } catch (error) {
        await releaseKeys(db, prefix);
        throw error;
      }
    },
  };
}

/** Another language of the conversation has its own session. */
type SessionOwner = Pick<CodeToRun, "userId" | "conversationId" | "language">;

/** The session of the sandbox in which the last call ran, whichever process has it. */
async function findSession(
  db: Database,
  { userId, conversationId, language }: SessionOwner,
): Promise<string | undefined> {
  const [row] = await db.query<{ id: string }>(sql`select session_id as id
    from core.code_sessions where conversation_id = ${conversationId}
      and user_id = ${userId} and language = ${language}`);
  return row?.id;
}

/**
 * Makes a session the one in which the next call goes on. Of two calls that ran at once in two
 * processes only the first can: each went on from `previous`.
 * @returns whether it is.
 */
async function storeSession(
  db: Database,
  { userId, conversationId, language }: SessionOwner,
  { previous, session }: { previous: string | undefined; session: string },
): Promise<boolean> {
  const rows = await db.query(sql`insert into core.code_sessions as known
      (conversation_id, user_id, language, session_id)
    select id, ${userId}, ${language}, ${session}::uuid from core.conversations
      where id = ${conversationId} for key share
    on conflict (conversation_id, user_id, language) do update
      set session_id = excluded.session_id
      where known.session_id = ${previous ?? null}::uuid
        or known.session_id = excluded.session_id
    returning 1`);
  return rows.length > 0;
}

type RunBody = RouteInput<typeof sandboxContract.runCode>["body"];

async function runInSandbox(
  sandbox: Fetch,
  body: RunBody,
  signal: AbortSignal,
  onOutput: (output: readonly Printed[]) => void = () => {},
): Promise<CodeResult> {
  const headers = { [AFFINITY_HEADER]: affinityOf(body.userId) };
  const options = { signal, timeoutMs: TIMEOUT_MS, headers };
  const batches = stream(sandbox, sandboxContract.runCode, { body }, options);
  for await (const batch of batches)
    for (const event of batch) {
      if (event.type === "error") throw toApiError(event);
      if (event.type === "done") return event.result;
      onOutput(event.output);
    }
  throw codeUnavailable();
}

/** An id may have characters that no header can. */
function affinityOf(userId: string): string {
  return createHash("sha256").update(userId).digest("hex").slice(0, 32);
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
