import type { z } from "zod";
import type { Files } from "../../platform/files/files.ts";
import type { Delivery } from "../../platform/queue/queue.ts";
import {
  EMBEDDING_PROGRESS,
  EMBEDDING_RESULTS,
  EmbeddingProgress,
  EmbeddingResult,
} from "../embedding/contract-jobs.ts";
import {
  markdownKeyOf,
  PARSING_PROGRESS,
  PARSING_RESULTS,
  ParsingProgress,
  ParsingResult,
} from "../parser/contract-jobs.ts";
import { JOB_REQUESTER } from "./contract-processing.ts";
import { type ProcessingDeps, sendToEmbedding, sendHeld } from "./process-document.ts";
import {
  findProcessable,
  saveFailed,
  saveParsed,
  saveProcessed,
  saveProgress,
} from "./processing-store.ts";
import { readMessage } from "../../platform/queue/message.ts";

type Consume = (delivery: Pick<Delivery, "data" | "isOwn">) => Promise<void>;

/**
 * Consumers of the parser's and the embedding service's messages about documents. Idempotent;
 * messages about an attempt that is over are ignored. Those of another system in the place of our
 * parser can end the current attempt of a document with the text that was stored for it, no more.
 */
export function processingConsumers(
  deps: ProcessingDeps & { files: Files },
): Record<string, Consume> {
  const { db, files, leaseMs, waitMs } = deps;
  const sendNext = async (documentId: string) => {
    const document = await findProcessable(db, documentId);
    if (document) await sendHeld(deps, document.ownerId);
  };
  return {
    [PARSING_PROGRESS]: validated(
      ParsingProgress,
      async (step) => void (await saveProgress(db, step, leaseMs)),
    ),
    [EMBEDDING_PROGRESS]: validated(
      EmbeddingProgress,
      async (step) => void (await saveProgress(db, step, leaseMs)),
    ),
    [PARSING_RESULTS]: validated(ParsingResult, async (result, isOwn) => {
      const { documentId, jobId } = result;
      if (!isAboutDocument(result, isOwn)) return;
      if (result.status === "failed") {
        await saveFailed(db, documentId, jobId, { stage: "parsing", ...result.error });
        return sendNext(documentId);
      }
      const before = await findProcessable(db, documentId);
      const saved = await db.tx(async () => {
        if (!(await saveParsed(db, result, waitMs))) return false;
        const document = await findProcessable(db, documentId);
        if (document) await sendToEmbedding(deps, document, jobId, result.markdownKey);
        return true;
      });
      if (!saved && !isOwn) return;
      // delete the markdown of the former attempt, or of this one when it came too late
      const obsolete = saved ? before?.markdownKey : result.markdownKey;
      const current = (await findProcessable(db, documentId))?.markdownKey;
      if (obsolete && obsolete !== current) await files.delete(obsolete);
    }),
    [EMBEDDING_RESULTS]: validated(EmbeddingResult, async (result) => {
      if (result.status === "failed")
        await saveFailed(db, result.documentId, result.jobId, {
          stage: "embedding",
          ...result.error,
        });
      else {
        const { status: _, ...processed } = result;
        await saveProcessed(db, processed);
      }
      await sendNext(result.documentId);
    }),
  };
}

/** Wraps a consumer: a message that does not match the schema goes to the dead letters. */
function validated<Message extends z.ZodType>(
  schema: Message,
  consume: (message: z.output<Message>, isOwn: boolean) => Promise<void>,
): Consume {
  return async (delivery) => consume(readMessage(schema, delivery), delivery.isOwn);
}

/**
 * Whether a result is about the job of a document. Our parser repeats who asked it; of another
 * system only the key that belongs to the job is believed, so that nobody reads another one's text.
 */
function isAboutDocument(result: ParsingResult, isOwn: boolean): boolean {
  if (result.status === "failed") return true;
  return isOwn
    ? result.requester === JOB_REQUESTER
    : result.markdownKey === markdownKeyOf(result.jobId);
}
