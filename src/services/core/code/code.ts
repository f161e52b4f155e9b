import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import type { Files } from "../../../platform/files/files.ts";
import { call, type Fetch, stream } from "../../../platform/http/call.ts";
import type { RouteInput } from "../../../platform/http/route.ts";
import { ApiError, Unavailable } from "../../../platform/http/errors.ts";
import { toApiError } from "../../../platform/http/reported-error.ts";
import type { StoredDocument } from "../../documents/contract-stored.ts";
import { FileName } from "../../sandbox/contract-file-name.ts";
import { MAX_CALL_MS, MAX_FILES_BYTES } from "../../sandbox/contract-limits.ts";
import {
  type CodeResult,
  type InputFile,
  MAX_INPUT_FILES,
  type Printed,
  sandboxContract,
} from "../../sandbox/contract.ts";
import {
  type ConversationFile,
  keepFiles,
  listNewest,
  releaseKeys,
  reserveKeys,
} from "./stored-files.ts";

const LOOK_UP_TIMEOUT_MS = 15_000;
/** A call may wait for its turn before it runs. */
const TIMEOUT_MS = MAX_CALL_MS + 180_000;
const RETRY_AFTER_MS = 30_000;
const MAX_ATTACHED = 100;

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

interface CodeToRun {
  userId: string;
  conversationId: string;
  code: string;
}

export interface RanCode extends Omit<CodeResult, "files"> {
  /** What the code wrote, as files of the conversation. */
  written: ConversationFile[];
  /** The names of what it could read. */
  given: string[];
}

interface Deps {
  db: Database;
  files: Files;
  sandbox: Fetch;
  /** Returns those of the documents that the user may see. */
  describeDocuments(userId: string, ids: readonly string[]): Promise<StoredDocument[]>;
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
    async run({ userId, conversationId, code }, signal, onOutput) {
      const given = await listInput(deps, userId, conversationId);
      const prefix = await reserveKeys(db);
      try {
        const body = { userId, conversationId, code, files: given, storeUnder: prefix };
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

/** What code can read: the files attached to the conversation, and those that code wrote. */
async function listInput(
  { db, describeDocuments }: Deps,
  userId: string,
  conversationId: string,
): Promise<InputFile[]> {
  const stored = await listNewest(db, conversationId);
  const attached = await describeDocuments(userId, await listAttached(db, conversationId));
  const found = new Map<string, InputFile>();
  for (const { name, size, sha256, storageKey: key } of stored)
    found.set(name, { name, size, version: sha256, from: { kind: "stored", key } });
  for (const { id, fileName, size, sha256 } of attached) {
    const name = freeName(fileName, found);
    if (name)
      found.set(name, { name, size, version: sha256, from: { kind: "document", id } });
  }
  return fit([...found.values()]);
}

async function listAttached(db: Database, conversationId: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`select file.file_id as id
    from core.messages message join core.message_files file on file.message_id = message.id
    where message.conversation_id = ${conversationId}
    group by file.file_id order by max(message.created_at) desc limit ${MAX_ATTACHED}`);
  return rows.map(({ id }) => id);
}

/** A file that code changed is in the place of the attached one. */
function freeName(
  fileName: string,
  taken: ReadonlyMap<string, InputFile>,
): string | undefined {
  const plain = fileName.replace(/[\p{Cc}\p{Cf}\p{Cs}\\/]/gu, "_").slice(-200);
  if (!FileName.safeParse(plain).success) return undefined;
  for (let number = 1; number <= MAX_ATTACHED; number += 1) {
    const name = number === 1 ? plain : `${number} ${plain}`;
    const other = taken.get(name);
    if (!other) return name;
    if (other.from.kind === "stored") return undefined;
  }
  return undefined;
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
