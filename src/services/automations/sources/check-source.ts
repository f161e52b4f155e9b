import { STOPPING } from "../../../platform/background/work-loop.ts";
import { createHash } from "node:crypto";
import { openSecret } from "../../../platform/auth/secrets.ts";
import { createS3 } from "../../../platform/files/s3-client.ts";
import { ApiError, BadRequest } from "../../../platform/http/errors.ts";
import type { Outgoing } from "../../../platform/outgoing/outgoing.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import { toStoredFailure } from "../../../platform/http/reported-error.ts";
import type { RefuseInactive } from "../refuse-inactive.ts";
import type { RunError } from "../contract-runs.ts";
import { type IntakeDeps, takeMedium } from "../media/take-medium.ts";
import {
  type HeldSource,
  type Item,
  listNewItems,
  saveItem,
  saveCheck,
  type StoredSource,
} from "./store.ts";
import { resolveAllowedFolder, readFileIn, walkFolder } from "./walk-folder.ts";

export interface CheckDeps extends IntakeDeps {
  outgoing: Pick<Outgoing, "fetch">;
  encryptionKey: string;
  folders: readonly string[];
  refuseInactive: RefuseInactive;
  log: Logger;
}

/** Lists the items of a folder or bucket page by page, and reads one. */
interface SourceReader {
  /**
   * Whether files may still grow when they are listed. Such a file is submitted when it is the
   * same at the next check.
   */
  grows: boolean;
  pages(signal: AbortSignal): AsyncIterable<Item[]>;
  read(key: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
}

/** After so many media, or so much time, a check pauses and other sources have their turn. */
const MAX_MEDIA_PER_TURN = 50;
const MAX_TURN_MS = 60_000;
const MAX_CHECK_MS = 10 * 60_000;
const PAGE_SIZE = 500;

/** Checks a folder or bucket once, and submits new and changed files. */
export async function checkSource(
  deps: CheckDeps,
  held: HeldSource,
  signal: AbortSignal,
): Promise<void> {
  const { source } = held;
  try {
    await deps.refuseInactive(source);
    const reader = await createReader(deps, source);
    let submitted = 0;
    const startedAt = performance.now();
    for await (const page of reader.pages(signal)) {
      if (performance.now() - startedAt > MAX_CHECK_MS) throw sourceTooLarge();
      for (const item of await listNewItems(deps.db, source.id, page)) {
        signal.throwIfAborted();
        if (reader.grows && item.before !== item.version) {
          await saveItem(deps.db, source.id, item, { state: "seen" });
          continue;
        }
        const isTurnOver = submitted > 0 && performance.now() - startedAt > MAX_TURN_MS;
        if (submitted === MAX_MEDIA_PER_TURN || isTurnOver)
          return await saveCheck(deps.db, held, { more: true });
        submitted += 1;
        await submitItem(deps, source, reader, item, signal);
      }
    }
    await saveCheck(deps.db, held, {});
  } catch (error) {
    if (signal.aborted) {
      if (signal.reason === STOPPING) await saveCheck(deps.db, held, { more: true });
      return;
    }
    if (!(error instanceof ApiError))
      deps.log.warn({ err: error, source: source.id }, "checking a source failed");
    await saveCheck(deps.db, held, { error: toRunError(error) });
  }
}

/** Submits one file. An error of the file is stored with it; any other error ends the check. */
async function submitItem(
  deps: CheckDeps,
  source: StoredSource,
  reader: SourceReader,
  item: Item,
  signal: AbortSignal,
): Promise<void> {
  const { id, userId, clientId, origin, type, tags } = source;
  // prevents a second run if the process ends before the item is saved
  const idempotencyKey = `source:${createHash("sha256")
    .update(JSON.stringify([id, item.key, item.version]))
    .digest("base64url")}`;
  const fields = {
    origin,
    ...(type !== null && { type }),
    path: item.key,
    tags,
    metadata: {},
  };
  try {
    const body = await reader.read(item.key, signal);
    const arrival = { user: { userId, clientId }, fields, sourceId: id, idempotencyKey };
    const { runId } = await takeMedium(deps, { name: item.key, body }, arrival, signal);
    await saveItem(deps.db, id, item, { state: "taken", runId });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500 || error.status === 429)
      throw error;
    await saveItem(deps.db, id, item, { state: "refused", error: toRunError(error) });
  }
}

async function createReader(
  { outgoing, encryptionKey, folders }: CheckDeps,
  { settings, secret }: StoredSource,
): Promise<SourceReader> {
  if (settings.kind === "webhook") throw new Error("a webhook has nothing to check");
  if (settings.kind === "folder") {
    const folder = await resolveAllowedFolder(settings.path, folders);
    return {
      grows: true,
      pages: (signal) => toPages(walkFolder(folder, signal)),
      read: (key) => Promise.resolve(readFileIn(folder, key)),
    };
  }
  const { prefix, every: _every, kind: _kind, ...bucket } = settings;
  const s3 = createS3(
    { ...bucket, secretAccessKey: openSecret(secret, encryptionKey) },
    outgoing.fetch,
  );
  return {
    grows: false,
    async *pages(signal) {
      for (let after: string | undefined; ;) {
        const objects = await s3.list(prefix, after, signal);
        // consoles create folders as objects without content
        yield objects
          .filter(({ key }) => !key.endsWith("/"))
          .map(({ key, etag }) => ({ key, version: etag }));
        after = objects.at(-1)?.key;
        if (objects.length === 0) return;
      }
    },
    read: (key, signal) => s3.get(key, undefined, signal),
  };
}

async function* toPages(items: AsyncIterable<Item>): AsyncGenerator<Item[]> {
  let page: Item[] = [];
  for await (const item of items) {
    page.push(item);
    if (page.length < PAGE_SIZE) continue;
    yield page;
    page = [];
  }
  yield page;
}

function sourceTooLarge(): BadRequest {
  return new BadRequest(
    "source_too_large",
    `A check takes over ${MAX_CHECK_MS / 60_000} minutes. Watch a smaller folder or prefix.`,
  );
}

function toRunError(error: unknown): RunError {
  if (error instanceof ApiError && error.code === "storage_refused")
    return {
      code: "source_refused",
      message:
        "The bucket cannot be read. Check its region, name, keys and their permissions.",
    };
  if (error instanceof ApiError && error.code === "storage_failed")
    return {
      code: "source_unreachable",
      message: "The bucket does not respond. Check its address.",
    };
  if (error instanceof ApiError) return toStoredFailure(error);
  return {
    code: "source_unreadable",
    message: "The source could not be read. Ask an administrator to look at the log.",
  };
}
