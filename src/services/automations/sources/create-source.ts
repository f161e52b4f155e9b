import { uuidv7 } from "uuidv7";
import { sealSecret } from "../../../platform/auth/secrets.ts";
import type { Database } from "../../../platform/db/database.ts";
import { insertWithinLimit } from "../../../platform/db/insert-within-limit.ts";
import type { User } from "../../../platform/http/caller.ts";
import { operates } from "../../../platform/http/guard.ts";
import { Forbidden } from "../../../platform/http/errors.ts";
import type { Outgoing } from "../../../platform/outgoing/outgoing.ts";
import type { NewSource, SourceSettings } from "../contract-sources.ts";
import { createHookSecret } from "./receive-hook.ts";
import { countSources, insertSource } from "./store.ts";
import { resolveAllowedFolder } from "./walk-folder.ts";

export interface CreateSourceDeps {
  db: Database;
  outgoing: Pick<Outgoing, "check">;
  /** `AUTOMATION_FOLDERS`. */
  folders: readonly string[];
  encryptionKey: string;
}

const MAX_SOURCES_PER_USER = 100;

/**
 * Creates a source of a user.
 * @returns its id, and the secret of a webhook.
 * @throws Forbidden `admin_required`, BadRequest `folder_not_allowed`, Conflict `too_many_sources`.
 */
export async function createSource(
  deps: CreateSourceDeps,
  user: User,
  source: NewSource,
): Promise<{ id: string; secret: string }> {
  const { db, encryptionKey } = deps;
  await checkAccess(deps, user, source);
  const { userId, clientId } = user;
  const { settings, secret } = splitSecret(source);
  const { name, origin = `${source.kind}/${name}`, type, tags, isActive } = source;
  const id = uuidv7();
  const sealed = sealSecret(secret, encryptionKey);
  const row = { id, userId, clientId, name, origin, type, tags, isActive, settings };
  const limit = {
    key: `sources of ${userId}`,
    max: MAX_SOURCES_PER_USER,
    count: () => countSources(db, userId),
    code: "too_many_sources",
    message: `You have ${MAX_SOURCES_PER_USER} sources. Delete one first.`,
  };
  await insertWithinLimit(db, limit, () => insertSource(db, { ...row, secret: sealed }));
  return { id, secret };
}

/** The server's process can read files that users must not see, so only operators watch folders. */
async function checkAccess(
  { outgoing, folders }: CreateSourceDeps,
  user: User,
  source: NewSource,
): Promise<void> {
  if (source.kind === "folder" && !operates(user, "automation:administer"))
    throw new Forbidden(
      "admin_required",
      "Only administrators of this installation may watch folders of the server. Ask one.",
    );
  if (source.kind === "folder") await resolveAllowedFolder(source.settings.path, folders);
  if (source.kind === "s3") outgoing.check(source.settings.endpoint);
}

/** Splits a new source into its settings and its secret. */
function splitSecret(source: NewSource): { settings: SourceSettings; secret: string } {
  if (source.kind === "webhook")
    return { settings: { kind: "webhook" }, secret: createHookSecret() };
  if (source.kind === "folder")
    return { settings: { kind: "folder", ...source.settings }, secret: "" };
  const { secretAccessKey, ...settings } = source.settings;
  return { settings: { kind: "s3", ...settings }, secret: secretAccessKey };
}
