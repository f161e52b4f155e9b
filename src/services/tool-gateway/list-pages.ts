import { z } from "zod";
import type { Logger } from "../../platform/telemetry/log.ts";

/** Some servers count their pages; the number is sent back as it came. */
export type Cursor = string | number;
export const NextCursor = z.union([z.string(), z.number()]).nullish().catch(undefined);

interface Page {
  nextCursor?: Cursor | null | undefined;
}

/**
 * The pages of a list of a tool server, in order. A list that comes back to a cursor of before has
 * no end: it is read no further, and the log says so.
 */
export async function* listPages<P extends Page>(
  read: (cursor: { cursor?: Cursor }) => Promise<P>,
  { maxPages, server, log }: { maxPages: number; server: string; log: Logger },
): AsyncGenerator<P> {
  const seen = new Set<Cursor>();
  let cursor: Cursor | undefined;
  for (let count = 0; count < maxPages; count += 1) {
    const page = await read(cursor === undefined ? {} : { cursor });
    yield page;
    cursor = page.nextCursor ?? undefined;
    if (cursor === undefined || cursor === "") return;
    if (seen.has(cursor)) {
      log.warn({ server }, "a list of a tool server does not end; reading no further");
      return;
    }
    seen.add(cursor);
  }
}
