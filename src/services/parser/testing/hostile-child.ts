import { randomUUID } from "node:crypto";
import { serveTasks } from "../child/serve-tasks.ts";
import { probe } from "./probe.ts";

/** Replaces the readers of files, and does what hostile files would make them do. */
const held: Uint8Array[] = [];
const instance = randomUUID();
serveTasks({
  echo: async (input: unknown) => input,
  instance: async () => instance,
  probe,
  length: async (_: unknown, bytes: Uint8Array) => bytes.byteLength,
  /** Outside the heap, so that a heap limit does not apply. */
  async hog() {
    while (true) held.push(new Uint8Array(16 * 2 ** 20).fill(1));
  },
  async "hog-heap"() {
    const kept: number[][] = [];
    while (true) kept.push(Array.from({ length: 1_000_000 }, (_, index) => index));
  },
  async loop() {
    while (true);
  },
  async crash() {
    process.abort();
  },
  async leave() {
    process.exit(3);
  },
  async "throw-later"() {
    setTimeout(() => {
      throw new Error("nobody catches this");
    });
    return new Promise(() => {});
  },
});
