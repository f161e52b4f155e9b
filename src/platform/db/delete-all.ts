/** Ids of rows to delete, in their order, and how to delete some of them. */
export interface Deletion {
  /** The next ids behind `after`; none when there are no more. */
  next(after: string): Promise<string[]>;
  /** Idempotent: after a failure each id comes again, alone. */
  remove(ids: string[]): Promise<unknown>;
}

const FIRST_UUID = "00000000-0000-0000-0000-000000000000";
/** So many failures are no longer those of single rows: the database does not answer. */
const MAX_FAILURES = 100;

/** Names what could not be deleted. All else was. */
export class NotDeleted extends Error {
  override name = "NotDeleted";
  readonly ids: readonly string[];

  constructor(ids: readonly string[], cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`Not deleted: ${ids.join(", ")}. The first reason: ${reason}`, { cause });
    this.ids = ids;
  }
}

/**
 * Deletes batch after batch, so that others are served in between, and skips rows that cannot be
 * deleted, so that one of them does not keep all others.
 * @throws NotDeleted at the end, with the ids of what was skipped.
 */
export async function deleteAll(
  { next, remove }: Deletion,
  signal?: AbortSignal,
): Promise<void> {
  const failed: string[] = [];
  let reason: unknown;
  const attempt = async (ids: string[]): Promise<void> => {
    try {
      await remove(ids);
    } catch (error) {
      if (ids.length > 1) {
        for (const id of ids) if (!signal?.aborted) await attempt([id]);
        return;
      }
      reason ??= error;
      failed.push(...ids);
      if (failed.length >= MAX_FAILURES) throw new NotDeleted(failed, reason);
    }
  };
  let after = FIRST_UUID;
  while (!signal?.aborted) {
    const ids = await next(after);
    const last = ids.at(-1);
    if (last === undefined) break;
    await attempt(ids);
    after = last;
  }
  if (failed.length > 0) throw new NotDeleted(failed, reason);
}

/** Runs all steps, also those behind one that fails. @throws what the first of them threw. */
export async function runEach(steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const step of steps)
    await step().catch((error: unknown) => {
      errors.push(error);
    });
  if (errors.length === 0) return;
  if (errors.length === 1) throw errors[0];
  const messages = errors.map((error) => (error instanceof Error ? error.message : ""));
  throw new AggregateError(errors, messages.join(" "));
}
