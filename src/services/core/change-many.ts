import type { z } from "zod";
import { ApiError, type ErrorParams, InternalError } from "../../platform/http/errors.ts";
import { reportError } from "../../platform/http/reported-error.ts";
import type { Logger } from "../../platform/telemetry/log.ts";

interface Outcome {
  id: string;
  success: boolean;
  error?: string;
  code?: string;
  params?: ErrorParams;
}

/** Changes several items one after the other. A failure of one does not stop the rest. */
export async function changeMany<Item extends { id: string }>(
  items: readonly Item[],
  log: Logger,
  change: (item: Item) => Promise<unknown>,
): Promise<{ results: Outcome[] }> {
  const results: Outcome[] = [];
  for (const item of items) {
    try {
      await change(item);
      results.push({ id: item.id, success: true });
    } catch (error) {
      if (!(error instanceof ApiError))
        log.error({ err: error, id: item.id }, "an item of a bulk change failed");
      const known = error instanceof ApiError ? error : new InternalError();
      results.push({ id: item.id, success: false, ...reportError(known) });
    }
  }
  return { results };
}

/**
 * Validates an item of a bulk change by the schema of a single one. @throws ApiError
 * `validation_failed`.
 */
export function itemBy<Schema extends z.ZodType>(
  schema: Schema,
  item: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(item);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ApiError(
    400,
    "validation_failed",
    `The item is not valid: ${issue?.path.join(".")}: ${issue?.message}.`,
  );
}
