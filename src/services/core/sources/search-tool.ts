import { z } from "zod";
import { type OwnTool, PLATFORM } from "../conversations/own-tools.ts";
import type { Source } from "./contract.ts";
import type { Passage } from "./find-passages.ts";
import { passageText } from "./passage-text.ts";

const Input = z.object({
  query: z
    .string()
    .trim()
    .min(1)
    .max(2_000)
    .describe("What to look for, in words as the documents might use them"),
});

export const SEARCH_TOOL = "search_documents";

/**
 * Lets a model look for passages by itself. `known`: what it was given already, under these
 * numbers.
 */
export function searchTool(
  search: (query: string) => Promise<{ taken: Source[]; passages: Passage[] }>,
  known: readonly Source[],
): OwnTool {
  return {
    name: SEARCH_TOOL,
    description:
      "Finds passages of the person's documents. Each comes with the number by which to cite it.",
    input: Input,
    effect: "read_only",
    ...PLATFORM,
    async run(input) {
      const { taken, passages } = await search(Input.parse(input).query);
      const again = known.filter(
        (source) =>
          !taken.includes(source) &&
          passages.some(
            ({ documentId, chunkIndex }) =>
              documentId === source.documentId && chunkIndex === source.chunkIndex,
          ),
      );
      const before =
        again.length > 0
          ? `Found again: ${again.map(({ index }) => `[${index}]`).join(", ")}.`
          : "";
      const content = [...taken.map(passageText), before].filter(Boolean).join("\n\n");
      return {
        content: content || "Nothing was found. Try other words.",
        events: taken.length > 0 ? [{ type: "sources", sources: taken }] : [],
      };
    },
  };
}
