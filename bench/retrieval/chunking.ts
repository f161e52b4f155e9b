import {
  CharacterTextSplitter,
  RecursiveCharacterTextSplitter,
} from "@langchain/textsplitters";
import { countTokens } from "gpt-tokenizer/encoding/cl100k_base";
import {
  loadByteRanks,
  pieceCounter,
} from "../../src/services/embedding/chunking/byte-pairs.ts";
import { cutText } from "../../src/services/embedding/chunking/cut-text.ts";
import { CHUNKING_METHODS } from "../../src/services/embedding/contract-jobs.ts";
import { type Contender, interleaved } from "../measure.ts";

const CHUNK = 512;
const OVERLAP = 64;
/** LangChain's are asked for less: they take long. */
const SHARE_OF_PEERS = 0.25;

/**
 * Megabytes a second of each method at 512 tokens, with offsets, pages, sections and token counts,
 * beside LangChain's splitters with the same counter.
 */
export async function chunkingSpeed(
  text: string,
  rounds: number,
): Promise<Record<string, Record<string, number>>> {
  const countPiece = pieceCounter(await loadByteRanks());
  const megabytes = Buffer.byteLength(text) / 1e6;
  const part = text.slice(0, Math.floor(text.length * SHARE_OF_PEERS));
  console.warn = () => {};
  const timed = (
    name: string,
    size: number,
    work: () => Promise<number> | number,
  ): Contender => ({
    name,
    async run() {
      const startedAt = performance.now();
      const chunks = await work();
      return { "MB/s": (size / (performance.now() - startedAt)) * 1000, chunks };
    },
  });
  const peer = {
    chunkSize: CHUNK,
    chunkOverlap: OVERLAP,
    lengthFunction: (piece: string) => countTokens(piece),
  };
  return interleaved(
    [
      timed(
        "LangChain recursive",
        Buffer.byteLength(part) / 1e6,
        async () => (await new RecursiveCharacterTextSplitter(peer).splitText(part)).length,
      ),
      timed(
        "LangChain character",
        Buffer.byteLength(part) / 1e6,
        async () => (await new CharacterTextSplitter(peer).splitText(part)).length,
      ),
      ...CHUNKING_METHODS.map((method) =>
        timed(method, megabytes, () => {
          const chunkOverlap = method === "semchunk" ? 0 : OVERLAP;
          return cutText(
            text,
            { method, chunkSize: CHUNK, chunkOverlap, unit: "tokens" },
            countPiece,
          ).length;
        }),
      ),
    ],
    rounds,
  );
}
