import { cutText } from "../../../platform/cut-text.ts";
import { createHash } from "node:crypto";
import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import type { Database } from "../../../platform/db/database.ts";
import { isUniqueViolation } from "../../../platform/db/pooled-database.ts";
import type { Files } from "../../../platform/files/files.ts";
import { SAMPLE_BYTES, sniffType } from "../../../platform/files/sniff-type.ts";
import type { User } from "../../../platform/http/caller.ts";
import { BadRequest, Conflict, UnsupportedType } from "../../../platform/http/errors.ts";
import type { UploadedFile } from "../../../platform/http/read-upload.ts";
import type { MediumFields, Taken } from "../contract-runs.ts";
import type { RuleMatcher } from "../rule-matcher.ts";
import { stepsOf } from "../runs/plan-steps.ts";
import { insertRun, refuseTooManyRuns } from "../runs/store.ts";
import { wordsHash } from "../runs/step-store.ts";

export interface IntakeDeps {
  db: Database;
  files: Files;
  matcher: RuleMatcher;
  maxBytes: number;
}

export interface Arrival {
  user: Pick<User, "userId" | "clientId">;
  fields: MediumFields;
  sourceId?: string;
  /** Again with the same one: the same run. */
  idempotencyKey?: string | undefined;
  /** Throws when the bytes are not to be believed; called when they have all come. */
  check?: () => void;
}

const MAX_OUTPUT_BYTES = 4 * 2 ** 20;

/**
 * Stores a medium while it comes, says by its bytes what it is, and begins the run of the rule that
 * fits best; where none does, that is all.
 * @throws TooLarge, UnsupportedType for what nobody can read, TooManyRequests, Conflict for a used
 * key with another medium.
 */
export async function takeMedium(
  deps: IntakeDeps,
  { name, type: declared, body }: UploadedFile,
  { user, fields, sourceId, idempotencyKey, check }: Arrival,
  signal: AbortSignal,
): Promise<Taken> {
  const { db, files, matcher, maxBytes } = deps;
  const { userId, clientId } = user;
  if ((idempotencyKey?.length ?? 0) > 255)
    throw new BadRequest(
      "idempotency_key_invalid",
      "The Idempotency-Key is longer than 255 characters.",
    );
  // before the bytes come; `insertRun` asks again
  await refuseTooManyRuns(db, userId);
  const id = uuidv7();
  const storageKey = `automations/${id}`;
  let kept = false;
  try {
    const { size, sha256 } = await files.write(storageKey, body, { maxBytes, signal });
    check?.();
    if (size === 0) throw new BadRequest("file_empty", "The file is empty.");
    const filename = safeName(name);
    const sample = await files.readStart(storageKey, SAMPLE_BYTES);
    const whole = size <= SAMPLE_BYTES;
    const sniffed = await sniffType(sample, { fileName: filename, type: declared }, whole);
    const mimeType = sniffed?.split(";")[0];
    if (mimeType === undefined)
      throw new UnsupportedType(
        "file_type_unsupported",
        "This kind of file cannot be read. Send audio, video, an image, a document or text.",
      );
    const words = await wordsOf(files, storageKey, mimeType, size);
    const madeBy = await findMakers(db, user, fields.madeByRun, words);
    const { origin, type, path, tags, metadata } = fields;
    const asked = { type, mimeType, filename, origin, path, tags, metadata };
    const found = (await matcher.matches(user, asked)).find(
      ({ rule }) => !madeBy.includes(rule.id),
    );
    const medium = { filename, mimeType, size, sha256, path: path ?? null, tags, metadata };
    const run = {
      id,
      clientId,
      userId,
      ruleId: found?.rule.id ?? null,
      makerId: found?.rule.user_id ?? null,
      name: found?.rule.name ?? "",
      type: type ?? mimeType,
      origin,
      sourceId,
      madeBy: found ? [...madeBy, found.rule.id] : madeBy,
      status: found ? ("reading" as const) : ("unmatched" as const),
      medium,
      storageKey: found ? storageKey : null,
      conversationId: uuidv7(),
    };
    const fingerprint = createHash("sha256")
      .update(JSON.stringify([sha256, filename, fields]))
      .digest("base64url");
    const steps = found ? stepsOf(found.rule.agents) : [];
    const before = await once(db, { userId, key: idempotencyKey, fingerprint, runId: id }, () =>
      insertRun(db, run, steps),
    );
    kept = before === undefined && found !== undefined;
    return before ?? { runId: id, ruleId: run.ruleId };
  } finally {
    if (!kept) await files.delete(storageKey);
  }
}

/** Does it, unless the key stands for a run already. @returns that run. */
async function once(
  db: Database,
  {
    userId,
    key,
    fingerprint,
    runId,
  }: { userId: string; key: string | undefined; fingerprint: string; runId: string },
  insert: () => Promise<void>,
): Promise<Taken | undefined> {
  const before = async () => {
    const [row] = await db.query<
      Taken & { fingerprint: string }
    >(sql`select k.run_id as "runId", r.rule_id::float8 as "ruleId", k.fingerprint
      from automations.idempotency_keys k join automations.runs r on r.id = k.run_id
      where k.user_id = ${userId} and k.key = ${key} and k.created_at > now() - interval '24 hours'`);
    if (row && row.fingerprint !== fingerprint)
      throw new Conflict(
        "idempotency_key_reused",
        "This Idempotency-Key was used with another medium. Use a new key for a new one.",
      );
    return row && { runId: row.runId, ruleId: row.ruleId };
  };
  if (key === undefined) {
    await db.tx(insert);
    return undefined;
  }
  const known = await before();
  if (known) return known;
  try {
    await db.tx(async () => {
      await db.query(
        sql`delete from automations.idempotency_keys where user_id = ${userId} and created_at <= now() - interval '24 hours'`,
      );
      await insert();
      await db.query(
        sql`insert into automations.idempotency_keys (user_id, key, fingerprint, run_id) values (${userId}, ${key}, ${fingerprint}, ${runId})`,
      );
    });
    return undefined;
  } catch (error) {
    const first = isUniqueViolation(error) ? await before() : undefined;
    if (first) return first;
    throw error;
  }
}

/**
 * The rules that had a part in making a medium: as the sender says, or because its words are the
 * output of an agent. Outputs of other users do not count: nobody learns whether they exist.
 */
async function findMakers(
  db: Database,
  { userId, clientId }: Arrival["user"],
  madeByRun: string | undefined,
  words: string | undefined,
): Promise<number[]> {
  const hash = words === undefined ? null : wordsHash(words);
  const rows = await db.query<{
    rules: number[];
  }>(sql`select made_by::float8[] as rules from automations.runs
    where client_id = ${clientId} and (id = ${madeByRun ?? null}::uuid
      or id in (select run_id from automations.steps
        where output_hash = ${hash} and user_id = ${userId}))`);
  return [...new Set(rows.flatMap(({ rules }) => rules))];
}

/** Of what may be an agent's answer: text that is not too long. */
async function wordsOf(
  files: Files,
  key: string,
  mimeType: string,
  size: number,
): Promise<string | undefined> {
  if (!/^(text\/|application\/(json|xml)$)/.test(mimeType) || size > MAX_OUTPUT_BYTES)
    return undefined;
  return new Response(await files.read(key)).text();
}

/** The last part of a path, without control and direction characters: a name for people. */
function safeName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? "";
  const bare = last
    .replace(/(?!\u200d)\p{C}/gu, "")
    .trim()
    .toWellFormed();
  return cutText(bare, 200) || "file";
}
