import type { z } from "zod";
import {
  DEFAULT_CHUNK_OVERLAP,
  DEFAULT_CHUNK_SIZE,
  DEFAULT_METHOD,
  type embeddingContract,
} from "../contract.ts";

type Methods = z.input<typeof embeddingContract.chunkMethods.ok & {}>;

const size = {
  name: "chunkSize",
  type: "integer",
  default: DEFAULT_CHUNK_SIZE,
  description: "Most tokens (cl100k_base) or characters of a chunk",
};
const unit = {
  name: "unit",
  type: "tokens | characters",
  default: "tokens",
  description: "What sizes are counted in",
};
const overlap = (usual: number) => ({
  name: "chunkOverlap",
  type: "integer",
  default: usual,
  description: "Most that a chunk repeats of the one before",
});

export const CHUNKING: Methods = {
  default: DEFAULT_METHOD,
  methods: [
    {
      key: "lib_recursive",
      name: "Recursive character text splitter",
      description:
        "Cuts at blank lines; larger pieces at line ends, then between words, then characters",
      parameters: [size, overlap(DEFAULT_CHUNK_OVERLAP), unit],
    },
    {
      key: "lib_text_splitter",
      name: "Character-based text splitter",
      description:
        "Cuts at blank lines and joins paragraphs; a paragraph that is too large is cut recursively",
      parameters: [size, overlap(DEFAULT_CHUNK_OVERLAP), unit],
    },
    {
      key: "semchunk",
      name: "Semantic chunking",
      description:
        "Cuts at what parts the text most strongly, so that sentences stay whole",
      parameters: [size, overlap(0), unit],
    },
    {
      key: "fixed_size",
      name: "Fixed size",
      description: "Windows of one size, wherever they end",
      parameters: [size, overlap(DEFAULT_CHUNK_OVERLAP), unit],
    },
  ],
};
