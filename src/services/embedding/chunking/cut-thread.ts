import { parentPort } from "node:worker_threads";
import { loadByteRanks, pieceCounter } from "./byte-pairs.ts";
import { type CutOptions, cutText } from "./cut-text.ts";

// a thread: cutting a large text takes seconds, in which the service must answer others
const ranks = loadByteRanks();
parentPort?.on("message", ({ text, options }: { text: string; options: CutOptions }) => {
  ranks
    .then((loaded) =>
      parentPort?.postMessage({ chunks: cutText(text, options, pieceCounter(loaded)) }),
    )
    .catch((error: unknown) => parentPort?.postMessage({ error: String(error) }));
});
