import type { Logger } from "../../../platform/telemetry/log.ts";
import type { PartialReply, ReplyWriter } from "./record-reply.ts";

/** How often the texts of all replies are looked at. */
const TICK_MS = 1_000;
/** A reply is saved at each tick for so long: most have ended by then. */
const EARLY_MS = 10_000;
/** Later, each save writes a long text again. It also renews the lease of the reply. */
const LATE_INTERVAL_MS = 5_000;
/** So much new text is saved sooner. */
const MAX_UNSAVED_CHARACTERS = 4_000;

interface Reply {
  id: string;
  read: () => PartialReply;
  startedAt: number;
  savedAt: number;
  savedCharacters: number;
}

/** Saves the texts of replies while they are generated. */
export interface PartialSaver {
  /** @param read returns the text so far. @returns ends the saving. */
  begin(id: string, read: () => PartialReply): () => void;
}

/** One timer for all replies, so that their saves are stored together. */
export function createPartialSaver(
  { savePartial }: Pick<ReplyWriter, "savePartial">,
  log: Logger,
): PartialSaver {
  const replies = new Set<Reply>();
  let timer: NodeJS.Timeout | undefined;
  const save = (reply: Reply, partial: PartialReply, now: number) => {
    reply.savedAt = now;
    reply.savedCharacters = lengthOf(partial);
    savePartial(reply.id, partial).catch((error: unknown) =>
      log.warn({ err: error }, "a partial reply could not be saved"),
    );
  };
  const tick = () => {
    const now = performance.now();
    for (const reply of replies) {
      const partial = reply.read();
      if (isDue(reply, lengthOf(partial), now)) save(reply, partial, now);
    }
  };
  return {
    begin(id, read) {
      const now = performance.now();
      const reply: Reply = { id, read, startedAt: now, savedAt: now, savedCharacters: 0 };
      replies.add(reply);
      timer ??= setInterval(tick, TICK_MS);
      return () => {
        replies.delete(reply);
        if (replies.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}

function isDue(
  { startedAt, savedAt, savedCharacters }: Reply,
  characters: number,
  now: number,
): boolean {
  return (
    now - startedAt <= EARLY_MS ||
    // a timer may be early by a moment
    now - savedAt >= LATE_INTERVAL_MS - TICK_MS / 2 ||
    characters - savedCharacters >= MAX_UNSAVED_CHARACTERS
  );
}

function lengthOf({ content, reasoning }: PartialReply): number {
  return content.length + reasoning.length;
}
