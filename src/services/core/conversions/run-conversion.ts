import { uuidv7 } from "uuidv7";
import type { Database } from "../../../platform/db/database.ts";
import { insertWithinLimit } from "../../../platform/db/insert-within-limit.ts";
import type { Fetch } from "../../../platform/http/call.ts";
import type { User } from "../../../platform/http/caller.ts";
import { ApiError, InternalError } from "../../../platform/http/errors.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import type { RunOptions, Workers } from "../../../platform/workers/workers.ts";
import { reportError } from "../../../platform/http/reported-error.ts";
import { compareTexts } from "../compare-texts.ts";
import type { Change } from "../diff-text.ts";
import type { PermittedUse } from "../permitted-use.ts";
import type { Budgets } from "../usage/budgets.ts";
import type { Conversion, ConversionEvent, NewConversion } from "./contract.ts";
import { convert } from "./convert.ts";
import {
  endConversion,
  findConversion,
  insertConversion,
  listConversions,
  saveProgress,
} from "./store.ts";

export interface ConversionDeps {
  db: Database;
  log: Logger;
  workers: Workers;
  completion: Fetch;
  timeoutMs: number;
  budgets: Budgets;
  use: PermittedUse;
  maxConversions: number;
  /** The ids of the conversions that run in this process. */
  conversions: Set<string>;
}

const SAVE_EVERY = 2_000;

/**
 * Makes a conversion and stores it: its text so far at short intervals, and its outcome. `signal`
 * stops it; the text so far stays.
 */
export async function* runConversion(
  deps: ConversionDeps,
  user: User,
  ask: NewConversion,
  signal: AbortSignal,
): AsyncGenerator<ConversionEvent[]> {
  const { db, log } = deps;
  const { model, contextWindow } = await deps.use.chooseModel(user, ask.model);
  await deps.budgets.check({ userId: user.userId });
  const id = uuidv7();
  const { type, text, targetLanguage, options } = ask;
  const made = {
    id,
    type,
    input: text,
    targetLanguage: targetLanguage ?? null,
    options,
    model,
  };
  await insertWithinLimit(db, limitOf(deps, user.userId), () =>
    insertConversion(db, user.userId, made),
  );
  deps.conversions.add(id);
  let output = "";
  let savedAt = performance.now();
  // a reader who leaves early ends here as well
  let ending: Pick<Conversion, "status" | "error"> = { status: "stopped", error: null };
  try {
    yield [{ type: "conversion", id }];
    for await (const pieces of convert(
      deps,
      { ...ask, model, contextWindow, userId: user.userId },
      signal,
    )) {
      for (const piece of pieces) if (piece.type === "text_delta") output += piece.delta;
      if (performance.now() - savedAt > SAVE_EVERY) {
        savedAt = performance.now();
        await saveProgress(db, id, output);
      }
      yield pieces;
    }
    ending = { status: "complete", error: null };
  } catch (error) {
    if (!signal.aborted) {
      if (!(error instanceof ApiError)) log.error({ err: error }, "a conversion failed");
      const known = error instanceof ApiError ? error : new InternalError();
      ending = { status: "failed", error: reportError(known) };
    }
  } finally {
    await endConversion(db, id, { ...ending, output }).finally(() =>
      deps.conversions.delete(id),
    );
  }
  const conversion = await findConversion(db, user.userId, id);
  yield [
    conversion.error
      ? { type: "error", ...conversion.error }
      : { type: "done", conversion: await withChangesIfPossible(deps, conversion, user) },
  ];
}

function limitOf({ db, maxConversions }: ConversionDeps, userId: string) {
  return {
    key: `conversions of ${userId}`,
    max: maxConversions,
    count: async () => (await listConversions(db, { userId }, 0, 0)).total,
    code: "too_many_conversions",
    message: `You keep ${maxConversions} conversions, the most that one may keep. Delete some first.`,
  };
}

/**
 * Adds the changes that a grammar check made, if the texts can be compared.
 * @throws what `Workers.run` throws, except `too_complex`.
 */
export async function withChanges(
  workers: Workers,
  conversion: Conversion,
  options: RunOptions,
) {
  if (conversion.type !== "grammar" || conversion.status !== "complete") return conversion;
  const { input: before, output: after } = conversion;
  const changes = await compareTexts(workers, { before, after, by: "word" }, options);
  const toChange = ({ kind, text }: Change) => ({ kind, text });
  return { ...conversion, ...(changes && { changes: changes.map(toChange) }) };
}

/** The same for a conversion that is complete: busy workers must not make it fail. */
export async function withChangesIfPossible(
  { workers, log }: Pick<ConversionDeps, "workers" | "log">,
  conversion: Conversion,
  options: RunOptions,
) {
  try {
    return await withChanges(workers, conversion, options);
  } catch (error) {
    log.debug({ err: error }, "a conversion is answered without its changes");
    return conversion;
  }
}
