import type { z } from "zod";
import type { Files } from "../../platform/files/files.ts";
import { type Delivery, Poison } from "../../platform/queue/queue.ts";
import {
  EMBEDDING_PROGRESS,
  EMBEDDING_RESULTS,
  EmbeddingProgress,
  EmbeddingResult,
} from "../embedding/contract-jobs.ts";
import {
  PARSING_PROGRESS,
  PARSING_RESULTS,
  ParsingProgress,
  ParsingResult,
} from "../parser/contract-jobs.ts";
import { type ProcessingDeps, sendToEmbedding } from "./process-document.ts";
import {
  findWaiting,
  saveFailed,
  saveParsed,
  saveProcessed,
  saveProgress,
} from "./processing-store.ts";
import { sendHeld } from "./send-held.ts";

type Take = (delivery: Pick<Delivery, "data">) => Promise<void>;

/**
 * What parser and embedding say of documents. Twice is as once, and of an attempt that is over
 * nothing happens.
 */
export function processingConsumers(deps: ProcessingDeps & { files: Files }): Record<string, Take> {
  const { db, files, leaseMs, waitMs } = deps;
  const sendNext = async (documentId: string) => {
    const document = await findWaiting(db, documentId);
    if (document) await sendHeld(deps, document.ownerId);
  };
  return {
    [PARSING_PROGRESS]: taking(
      ParsingProgress,
      async (step) => void (await saveProgress(db, step, leaseMs)),
    ),
    [EMBEDDING_PROGRESS]: taking(
      EmbeddingProgress,
      async (step) => void (await saveProgress(db, step, leaseMs)),
    ),
    [PARSING_RESULTS]: taking(ParsingResult, async (result) => {
      const { documentId, jobId } = result;
      if (result.status === "failed") {
        await saveFailed(db, documentId, jobId, { stage: "parsing", ...result.error });
        return sendNext(documentId);
      }
      const before = await findWaiting(db, documentId);
      const taken = await db.tx(async () => {
        if (!(await saveParsed(db, result, waitMs))) return false;
        const document = await findWaiting(db, documentId);
        if (document) await sendToEmbedding(deps, document, jobId, result.markdownKey);
        return true;
      });
      // nothing of a former attempt stays, nor of one that came too late
      const now = taken ? before?.markdownKey : result.markdownKey;
      const kept = (await findWaiting(db, documentId))?.markdownKey;
      if (now && now !== kept) await files.delete(now);
    }),
    [EMBEDDING_RESULTS]: taking(EmbeddingResult, async (result) => {
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

function taking<Message extends z.ZodType>(
  schema: Message,
  take: (message: z.output<Message>) => Promise<void>,
): Take {
  return async ({ data }) => {
    const message = schema.safeParse(data);
    if (!message.success)
      throw new Poison(`not such a message: ${message.error.issues[0]?.path.join(".")}`);
    await take(message.data);
  };
}
