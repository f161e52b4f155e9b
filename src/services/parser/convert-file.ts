import { call, type Fetch } from "../../platform/http/call.ts";
import { Unavailable } from "../../platform/http/errors.ts";
import { embeddingContract } from "../embedding/contract.ts";
import type { Device } from "./device.ts";
import type { ParsedResult } from "./parse-file.ts";

interface Asked {
  /** In tokens. */
  chunkSize: number;
  overlap: number;
  device: Device;
  signal: AbortSignal;
}

/**
 * Parses a file and cuts it into chunks as the embedding service does.
 * @throws Unavailable `embedding_absent` without an embedding service.
 */
export async function convertFile(
  embedding: Fetch | undefined,
  { file, metadata: { fileName, mimeType, pages } }: ParsedResult,
  { chunkSize, overlap, device, signal }: Asked,
) {
  if (!embedding)
    throw new Unavailable(
      "embedding_absent",
      "The embedding service is not served here; set EMBEDDING_SERVICE_URL.",
      60_000,
    );
  const body = { text: file.markdown, chunkSize, chunkOverlap: overlap, unit: "tokens" as const };
  const { chunks, totalChunks } = await call(
    embedding,
    embeddingContract.chunk,
    { body },
    { signal, timeoutMs: 120_000 },
  );
  return {
    fileName,
    mimeType,
    pages,
    device,
    chunks: chunks.map(({ index, content, tokenCount, pageNumber, headings }) => ({
      index,
      text: content,
      tokenCount,
      pageNumber,
      headings,
    })),
    totalChunks,
  };
}
