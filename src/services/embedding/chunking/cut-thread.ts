import { parentPort } from "node:worker_threads";
import { loadByteRanks, pieceCounter } from "./byte-pairs.ts";
import { type CutOptions, cutText, CutTooLarge } from "./cut-text.ts";

// a thread, because cutting a large text takes seconds, in which the service must answer other
// requests
const ranks = loadByteRanks();
parentPort?.on("message", ({ text, options }: { text: string; options: CutOptions }) => {
  ranks
    .then((loaded) =>
      parentPort?.postMessage({ chunks: cutText(text, options, pieceCounter(loaded)) }),
    )
    .catch((error: unknown) =>
      parentPort?.postMessage(
        error instanceof CutTooLarge ? { isTooLarge: true } : { error: String(error) },
      ),
    );
});
