import { STOPPING } from "../../../platform/background/work-loop.ts";
import { createHash } from "node:crypto";
import { openSecret } from "../../../platform/auth/secrets.ts";
import { createS3 } from "../../../platform/files/s3-client.ts";
import { ApiError, BadRequest } from "../../../platform/http/errors.ts";
import type { Outgoing } from "../../../platform/outgoing/outgoing.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import type { RefuseInactive } from "../acting-user.ts";
import type { RunError } from "../contract-runs.ts";
import { type IntakeDeps, takeMedium } from "../media/take-medium.ts";
import {
  type HeldSource,
  type Item,
  newItems,
  saveItem,
  saveLook,
  type StoredSource,
} from "./store.ts";
import { allowedFolder, readFileOf, walkFolder } from "./walk-folder.ts";

export interface LookDeps extends IntakeDeps {
  outgoing: Pick<Outgoing, "fetch">;
  encryptionKey: string;
  folders: readonly string[];
  refuseInactive: RefuseInactive;
  log: Logger;
}

/** What a place is asked: what there is, page by page, and the bytes of one. */
interface Place {
  /**
   * Whether a file may still be written to when it is seen: then it is taken when it is the same at
   * the next look.
   */
  grows: boolean;
  pages(signal: AbortSignal): AsyncIterable<Item[]>;
  read(key: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
}

/** A look that took so many media, or took some for so long, goes on after other sources. */
const MAX_TAKEN = 50;
const TURN_MS = 60_000;
/** Longest look that finds nothing new. */
const MAX_LOOK_MS = 10 * 60_000;
const PAGE = 500;

/** One look at a folder or a bucket: what is new in it, or changed, is taken in. */
export async function lookAtSource(
  deps: LookDeps,
  held: HeldSource,
  signal: AbortSignal,
): Promise<void> {
  const { source } = held;
  try {
    await deps.refuseInactive(source);
    const place = await placeOf(deps, source);
    let taken = 0;
    const startedAt = performance.now();
    for await (const page of place.pages(signal)) {
      if (performance.now() - startedAt > MAX_LOOK_MS) throw sourceTooLarge();
      for (const item of await newItems(deps.db, source.id, page)) {
        signal.throwIfAborted();
        if (place.grows && item.before !== item.version) {
          await saveItem(deps.db, source.id, item, { state: "seen" });
          continue;
        }
        const isTurnOver = taken > 0 && performance.now() - startedAt > TURN_MS;
        if (taken === MAX_TAKEN || isTurnOver) return await saveLook(deps.db, held, { more: true });
        taken += 1;
        await takeItem(deps, source, place, item, signal);
      }
    }
    await saveLook(deps.db, held, {});
  } catch (error) {
    if (signal.aborted) {
      if (signal.reason === STOPPING) await saveLook(deps.db, held, { more: true });
      return;
    }
    if (!(error instanceof ApiError))
      deps.log.warn({ err: error, source: source.id }, "a source could not be looked at");
    await saveLook(deps.db, held, { error: reasonOf(error) });
  }
}

/** What is wrong with one file is kept with it; what is wrong with more than that ends the look. */
async function takeItem(
  deps: LookDeps,
  source: StoredSource,
  place: Place,
  item: Item,
  signal: AbortSignal,
): Promise<void> {
  const { id, userId, clientId, origin, type, tags } = source;
  // a process that ends between the two makes no second run
  const idempotencyKey = `source:${createHash("sha256")
    .update(JSON.stringify([id, item.key, item.version]))
    .digest("base64url")}`;
  const fields = { origin, ...(type !== null && { type }), path: item.key, tags, metadata: {} };
  try {
    const body = await place.read(item.key, signal);
    const arrival = { user: { userId, clientId }, fields, sourceId: id, idempotencyKey };
    const { runId } = await takeMedium(deps, { name: item.key, body }, arrival, signal);
    await saveItem(deps.db, id, item, { state: "taken", runId });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500 || error.status === 429) throw error;
    await saveItem(deps.db, id, item, { state: "refused", error: reasonOf(error) });
  }
}

async function placeOf(
  { outgoing, encryptionKey, folders }: LookDeps,
  { settings, secret }: StoredSource,
): Promise<Place> {
  if (settings.kind === "webhook") throw new Error("a webhook is not looked at");
  if (settings.kind === "folder") {
    const folder = await allowedFolder(settings.path, folders);
    return {
      grows: true,
      pages: (signal) => inPages(walkFolder(folder, signal)),
      read: (key) => Promise.resolve(readFileOf(folder, key)),
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
        // folders are objects without content, as consoles make them
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

async function* inPages(items: AsyncIterable<Item>): AsyncGenerator<Item[]> {
  let page: Item[] = [];
  for await (const item of items) {
    page.push(item);
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  yield page;
}

function sourceTooLarge(): BadRequest {
  return new BadRequest(
    "source_too_large",
    `A look takes longer than ${MAX_LOOK_MS / 60_000} minutes. Watch a narrower folder or prefix.`,
  );
}

function reasonOf(error: unknown): RunError {
  if (error instanceof ApiError && error.code === "storage_refused")
    return {
      code: "source_refused",
      message:
        "The bucket cannot be read. Check its region, its name, its keys and what they may do.",
    };
  if (error instanceof ApiError && error.code === "storage_failed")
    return {
      code: "source_unreachable",
      message: "The bucket does not answer. Check its address.",
    };
  if (error instanceof ApiError) return { code: error.code, message: error.message };
  return {
    code: "source_unreadable",
    message: "The source could not be read. An administrator finds the reason in the log.",
  };
}
