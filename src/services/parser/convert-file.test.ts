import { expect, test } from "vitest";
import { MAX_BODY_BYTES } from "../../platform/http/route.ts";
import { convertFile } from "./convert-file.ts";

const asked = {
  chunkSize: 100,
  overlap: 10,
  device: "cpu" as const,
  signal: new AbortController().signal,
};

function aResult(markdown: string): Parameters<typeof convertFile>[1] {
  const metadata = { fileName: "long.txt", mimeType: "text/plain", pages: 1 };
  return { file: { markdown }, metadata } as never; // the rest of the result is not read
}

function anEmbedding(status: number, answer: unknown) {
  const asks: string[] = [];
  const fetch = async ({ url }: Request) => {
    asks.push(url);
    return Response.json(answer, { status });
  };
  return { asks, fetch };
}

const refusal = {
  status: 413,
  code: "text_too_large",
  message:
    `The text of the file is larger than ${MAX_BODY_BYTES} bytes, the most that can be cut into ` +
    "chunks at a time. Divide the file.",
};

test("a text that cannot fit is refused without being sent", async () => {
  const { asks, fetch } = anEmbedding(200, {
    chunks: [],
    method: "recursive",
    totalChunks: 0,
  });
  const result = aResult("a".repeat(MAX_BODY_BYTES + 1));
  await expect(convertFile(fetch, result, asked)).rejects.toMatchObject(refusal);
  expect(asks).toEqual([]);
});

test("a text that fits by its characters but not by its bytes is refused in the same words", async () => {
  const { fetch } = anEmbedding(413, {
    error: "The body is too large.",
    code: "body_too_large",
  });
  await expect(convertFile(fetch, aResult("ä"), asked)).rejects.toMatchObject(refusal);
});

test("another refusal of the embedding service is passed on", async () => {
  const { fetch } = anEmbedding(429, { error: "Wait a moment.", code: "rate_limited" });
  await expect(convertFile(fetch, aResult("a"), asked)).rejects.toMatchObject({
    status: 429,
    code: "rate_limited",
  });
});
