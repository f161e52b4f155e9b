import { createHash } from "node:crypto";
import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import type { Database } from "../../../platform/db/database.ts";
import { isUniqueViolation } from "../../../platform/db/errors.ts";
import type { Files } from "../../../platform/files/files.ts";
import { SAMPLE_BYTES } from "@parlance/to-markdown/formats/decode-text.ts";
import type { User } from "../../../platform/http/caller.ts";
import { BadRequest, Conflict } from "../../../platform/http/errors.ts";
import type { UploadedFile } from "../../../platform/http/read-upload.ts";
import type { AcceptedMedium, MediumFacts, MediumFields } from "../contract-runs.ts";
import type { Rule } from "../contract.ts";
import type { RuleMatcher } from "../rule-matcher.ts";
import { toSteps } from "../runs/plan-steps.ts";
import { detectType } from "./inspect-medium.ts";
import { insertRun, type NewRun, refuseTooManyRuns } from "../runs/store.ts";
import { hashText } from "../runs/step-store.ts";

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
  /** A repeated key returns the same run. */
  idempotencyKey?: string | undefined;
  /** Verifies the bytes after the last one. Throws to refuse them. */
  check?: () => void;
}

/** Larger texts cannot be the output of an agent. */
const MAX_OUTPUT_BYTES = 4 * 2 ** 20;
const MAX_KEY_CHARACTERS = 255;

/**
 * Stores a medium while it arrives, detects its type and starts the run of the rule that matches
 * best. Without a matching rule it stores only the run.
 * @throws TooLarge; UnsupportedType for media that nothing can read; TooManyRequests; Conflict for
 * a key that was used with another medium.
 */
export async function takeMedium(
  deps: IntakeDeps,
  upload: UploadedFile,
  arrival: Arrival,
  signal: AbortSignal,
): Promise<AcceptedMedium> {
  const { db, files } = deps;
  const { user, fields, idempotencyKey } = arrival;
  if ((idempotencyKey?.length ?? 0) > MAX_KEY_CHARACTERS)
    throw new BadRequest(
      "idempotency_key_invalid",
      `The Idempotency-Key is longer than ${MAX_KEY_CHARACTERS} characters. Use a shorter one.`,
    );
  // before the upload; `insertRun` checks again
  await refuseTooManyRuns(db, user.userId);
  const id = uuidv7();
  const storageKey = `automations/${id}`;
  let isKept = false;
  try {
    const medium = await storeMedium(deps, storageKey, upload, arrival, signal);
    const rule = await chooseRule(deps, arrival, storageKey, medium);
    const run = toRun(arrival, rule, { id, storageKey, medium });
    const request = {
      userId: user.userId,
      key: idempotencyKey,
      fingerprint: fingerprintOf(medium, fields),
      runId: id,
    };
    const steps = rule.match ? toSteps(rule.match.agents) : [];
    const earlier = await insertOnce(db, request, () => insertRun(db, run, steps));
    isKept = earlier === undefined && rule.match !== undefined;
    return earlier ?? { runId: id, ruleId: run.ruleId };
  } finally {
    if (!isKept) await files.delete(storageKey);
  }
}

/** Writes the bytes to the file storage. @returns what is known of the medium. */
async function storeMedium(
  { files, maxBytes }: IntakeDeps,
  storageKey: string,
  { name, type: declared, body }: UploadedFile,
  { fields, check }: Arrival,
  signal: AbortSignal,
): Promise<MediumFacts> {
  const { size, sha256 } = await files.write(storageKey, body, { maxBytes, signal });
  check?.();
  const sample = await files.readStart(storageKey, SAMPLE_BYTES);
  const { filename, mimeType } = await detectType({ sample, name, declared, size });
  const { path = null, tags, metadata } = fields;
  return { filename, mimeType, size, sha256, path, tags, metadata };
}

interface ChosenRule {
  match: Rule | undefined;
  /** The rules that took part in producing the medium, which must not run again. */
  madeBy: number[];
}

/** The most specific rule that matches and took no part in producing the medium. */
async function chooseRule(
  { db, files, matcher }: IntakeDeps,
  { user, fields }: Arrival,
  storageKey: string,
  { mimeType, filename, size }: MediumFacts,
): Promise<ChosenRule> {
  const text = await readOutputText(files, storageKey, mimeType, size);
  const madeBy = await findMakers(db, user, fields.madeByRun, text);
  const { origin, type, path, tags, metadata } = fields;
  const question = { type, mimeType, filename, origin, path, tags, metadata };
  const matches = await matcher.matches(user, question);
  const match = matches.find(({ rule }) => !madeBy.includes(rule.id))?.rule;
  return { match, madeBy };
}

function toRun(
  { user, fields, sourceId }: Arrival,
  { match, madeBy }: ChosenRule,
  { id, storageKey, medium }: { id: string; storageKey: string; medium: MediumFacts },
): NewRun {
  return {
    id,
    clientId: user.clientId,
    userId: user.userId,
    ruleId: match?.id ?? null,
    makerId: match?.user_id ?? null,
    name: match?.name ?? "",
    type: fields.type ?? medium.mimeType,
    origin: fields.origin,
    sourceId,
    madeBy: match ? [...madeBy, match.id] : madeBy,
    status: match ? "reading" : "unmatched",
    medium,
    storageKey: match ? storageKey : null,
    conversationId: uuidv7(),
  };
}

function fingerprintOf({ sha256, filename }: MediumFacts, fields: MediumFields): string {
  return createHash("sha256")
    .update(JSON.stringify([sha256, filename, fields]))
    .digest("base64url");
}

/** Inserts a run unless its key stands for an earlier run. @returns the earlier run. */
async function insertOnce(
  db: Database,
  {
    userId,
    key,
    fingerprint,
    runId,
  }: { userId: string; key: string | undefined; fingerprint: string; runId: string },
  insert: () => Promise<void>,
): Promise<AcceptedMedium | undefined> {
  const findEarlier = async () => {
    const [row] = await db.query<
      AcceptedMedium & { fingerprint: string }
    >(sql`select k.run_id as "runId", r.rule_id::float8 as "ruleId", k.fingerprint
      from automations.idempotency_keys k join automations.runs r on r.id = k.run_id
      where k.user_id = ${userId} and k.key = ${key}
      and k.created_at > now() - interval '24 hours'`);
    if (row && row.fingerprint !== fingerprint)
      throw new Conflict(
        "idempotency_key_reused",
        "This Idempotency-Key was used with another medium. Use a new key.",
      );
    return row && { runId: row.runId, ruleId: row.ruleId };
  };
  if (key === undefined) {
    await db.tx(insert);
    return undefined;
  }
  const earlier = await findEarlier();
  if (earlier) return earlier;
  try {
    await db.tx(async () => {
      await db.query(
        sql`delete from automations.idempotency_keys
          where user_id = ${userId} and created_at <= now() - interval '24 hours'`,
      );
      await insert();
      await db.query(
        sql`insert into automations.idempotency_keys (user_id, key, fingerprint, run_id)
          values (${userId}, ${key}, ${fingerprint}, ${runId})`,
      );
    });
    return undefined;
  } catch (error) {
    const first = isUniqueViolation(error) ? await findEarlier() : undefined;
    if (first) return first;
    throw error;
  }
}

/**
 * The rules that took part in producing a medium: named by the sender, or found because its text is
 * an agent's output. Outputs of other users do not count, so that nobody learns whether they exist.
 */
async function findMakers(
  db: Database,
  { userId, clientId }: Arrival["user"],
  madeByRun: string | undefined,
  text: string | undefined,
): Promise<number[]> {
  const hash = text === undefined ? null : hashText(text);
  const rows = await db.query<{
    rules: number[];
  }>(sql`select made_by::float8[] as rules from automations.runs
    where client_id = ${clientId} and (id = ${madeByRun ?? null}::uuid
      or id in (select run_id from automations.steps
        where output_hash = ${hash} and user_id = ${userId}))`);
  return [...new Set(rows.flatMap(({ rules }) => rules))];
}

/** The text of a medium that may be an agent's output; undefined for other media. */
async function readOutputText(
  files: Files,
  key: string,
  mimeType: string,
  size: number,
): Promise<string | undefined> {
  if (!/^(text\/|application\/(json|xml)$)/.test(mimeType) || size > MAX_OUTPUT_BYTES)
    return undefined;
  return new Response(await files.read(key)).text();
}
