import { parentPort, workerData } from "node:worker_threads";
import {
  type Answer,
  type Answered,
  type NumberedCommand,
  NOT_SAVED,
  type IndexCommand,
  type StoredVector,
  type VectorThreadData,
} from "./messages.ts";
import { openVectorFile } from "./vector-file.ts";
import { blockBytes, vectorsInMemory } from "./vectors-in-memory.ts";

// The program of the thread that holds vectors and compares them: `vector-index.ts` starts it. They
// are also in a file, which is only there to be read at the next start.

const { path, content, dimensions, maxRows } = workerData as VectorThreadData;
/** Many changes come together. */
const SAVE_AFTER_MS = 2_000;
const SAVE_AGAIN_AFTER_MS = 60_000;

const file = openVectorFile(path, content, blockBytes(dimensions));
const vectors = vectorsInMemory(dimensions);
for (const block of file.read()) vectors.addBlock(block);

let saving: NodeJS.Timeout | undefined;

function save(): void {
  clearTimeout(saving);
  saving = undefined;
  for (const [number, block] of vectors.blocks.entries()) {
    if (!vectors.changed.has(block)) continue;
    file.write(number, block.bytes);
    vectors.changed.delete(block);
  }
}

function saveLater(delayMs = SAVE_AFTER_MS): void {
  saving ??= setTimeout(() => {
    try {
      save();
    } catch (error) {
      // what is in memory is right all the same
      parentPort?.postMessage({ id: NOT_SAVED, failure: sayError(error) });
      saveLater(SAVE_AGAIN_AFTER_MS);
    }
  }, delayMs);
}

function sayError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function answer(command: IndexCommand): Partial<Answer> {
  switch (command.kind) {
    case "search":
      return vectors.search(command.vector, toBuffer(command.wanted), command.limit);
    case "keep":
      saveLater();
      vectors.keep(toBuffer(command.wanted));
      return {};
    case "lacking":
      return { lacking: vectors.lacking(toBuffer(command.wanted)) };
    case "forget":
      saveLater();
      vectors.forget(toBuffer(command.sets));
      return {};
    case "add":
      saveLater();
      for (const row of command.rows) {
        if (vectors.rows >= maxRows) return { isFull: true };
        vectors.add(toVector(row));
      }
      return {};
    case "wereRead":
      vectors.wereRead(toBuffer(command.sets));
      return {};
    case "close":
      save();
      file.close();
      return {};
  }
}

function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** pgvector sends the number of dimensions and two unused bytes first. */
const HEAD_BYTES = 4;

function toVector({ id, setId, vector }: StoredVector) {
  const bytes = Buffer.from(vector, "base64").subarray(HEAD_BYTES).swap16();
  return {
    id: toBytes(id),
    set: toBytes(setId),
    vector: new Float16Array(Uint8Array.from(bytes).buffer),
  };
}

function toBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll("-", ""), "hex");
}

parentPort?.on("message", ({ id, command }: NumberedCommand) => {
  let answered: Answered;
  try {
    const empty = { ids: [], lacking: new Uint8Array(), isFull: false };
    answered = { id, answer: { ...empty, ...answer(command), rows: vectors.rows } };
  } catch (error) {
    answered = { id, failure: sayError(error) };
  }
  parentPort?.postMessage(answered);
});
parentPort?.postMessage("ready");
