import { call, type Fetch } from "../../platform/http/call.ts";
import { ApiError, TooLarge, Unavailable } from "../../platform/http/errors.ts";
import { MAX_BODY_BYTES } from "../../platform/http/route.ts";
import { statedPage } from "../embedding/contract-places.ts";
import { embeddingContract } from "../embedding/contract.ts";
import type { Device } from "./describe-parser.ts";
import type { ParsedResult } from "./parse-file.ts";

interface ConvertOptions {
  /** In tokens. */
  chunkSize: number;
  overlap: number;
  device: Device;
  signal: AbortSignal;
}

/**
 * Parses a file and cuts it into chunks as the embedding service does.
 * @throws Unavailable `embedding_absent` without an embedding service, TooLarge `text_too_large`.
 */
export async function convertFile(
  embedding: Fetch | undefined,
  { file, metadata: { fileName, mimeType, pages, layout } }: ParsedResult,
  { chunkSize, overlap, device, signal }: ConvertOptions,
) {
  if (!embedding)
    throw new Unavailable(
      "embedding_absent",
      "The embedding service is not served here; set EMBEDDING_SERVICE_URL.",
      60_000,
    );
  const body = {
    text: file.markdown,
    chunkSize,
    chunkOverlap: overlap,
    unit: "tokens" as const,
    tableHeads: true,
    layout,
  };
  // a character takes at least one byte, so such a text need not be serialized to be refused
  if (file.markdown.length > MAX_BODY_BYTES) throw textTooLarge();
  const { chunks, totalChunks } = await call(
    embedding,
    embeddingContract.chunk,
    { body },
    { signal, timeoutMs: 120_000 },
  ).catch((error: unknown) => {
    throw error instanceof ApiError && error.code === "body_too_large"
      ? textTooLarge()
      : error;
  });
  return {
    fileName,
    mimeType,
    pages,
    device,
    chunks: chunks.map((chunk) => {
      const { index, content, tokenCount, place, headings } = chunk;
      const pageNumber = statedPage(chunk) ?? undefined;
      return { index, text: content, tokenCount, pageNumber, place, headings };
    }),
    totalChunks,
  };
}

function textTooLarge(): TooLarge {
  return new TooLarge(
    "text_too_large",
    `The text of the file is larger than ${MAX_BODY_BYTES} bytes, the most that can be cut into ` +
      "chunks at a time. Divide the file.",
    { params: { maxBytes: MAX_BODY_BYTES } },
  );
}
