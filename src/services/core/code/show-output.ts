import sql from "sql-template-tag";
import type { Cache } from "../../../platform/cache/cache.ts";
import type { Database } from "../../../platform/db/database.ts";
import { encodeEvent } from "../../../platform/http/stream.ts";
import type { Printed } from "../../sandbox/contract.ts";
import type { ConversationEvent } from "../replies/contract.ts";
import { LOG_TTL_MS, logName } from "../replies/publish-reply.ts";

interface Deps {
  db: Database;
  cache: Cache;
}

interface Output {
  show(output: readonly Printed[]): void;
  /** Waits until all of it is in the log, so that the result comes after it. */
  shown(): Promise<void>;
}

interface Shown {
  messageId: string;
  toolCallId: string;
}

/**
 * Shows what a call prints to whoever reads its reply, while it runs: the call knows the reply's
 * log, which any process may add to. What is lost here is in the result.
 */
export async function showOutput(
  { db, cache }: Deps,
  { messageId, toolCallId }: Shown,
): Promise<Output | undefined> {
  const [reply] = await db.query<{ run: number }>(
    sql`select run from core.messages where id = ${messageId}`,
  );
  if (!reply) return undefined;
  const log = logName(messageId, reply.run);
  let last = Promise.resolve();
  return {
    show(output) {
      const event: ConversationEvent = {
        type: "tool_output",
        toolCallId,
        output: output.map(({ text }) => text).join(""),
      };
      last = last
        .then(async () => {
          await cache.append(log, [encodeEvent(event)], LOG_TTL_MS, { begins: false });
          await cache.publish(log, "");
        })
        // the result has it all again
        .catch(() => {});
    },
    shown: () => last,
  };
}
