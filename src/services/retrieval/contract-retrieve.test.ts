import { expect, test } from "vitest";
import { SimilaritySearch } from "./contract-retrieve.ts";

test.each([[[0, 0, 0]], [[1e300, 1]], [[1e-40, 0]]])(
  "the vector %j, which has no cosine, is refused",
  (queryEmbedding) => {
    expect(SimilaritySearch.safeParse({ queryEmbedding }).success).toBe(false);
    expect(
      SimilaritySearch.safeParse({ queryEmbedding: [1, ...queryEmbedding.slice(2)] })
        .success,
    ).toBe(true);
  },
);
