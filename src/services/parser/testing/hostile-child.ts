import { serveTasks } from "../child/serve-tasks.ts";

/** Stands in for what reads files, and does what hostile files make it do. */
const held: Uint8Array[] = [];
serveTasks({
  echo: async (input: unknown) => input,
  pid: async () => process.pid,
  environment: async () => Object.keys(process.env).toSorted(),
  /** Outside the heap, where a heap limit sees nothing. */
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
  async "read-file"(path: string) {
    const { readFile } = await import("node:fs/promises");
    return (await readFile(path, "utf8")).length;
  },
  async "write-file"(path: string) {
    const { writeFile } = await import("node:fs/promises");
    await writeFile(path, "x");
  },
  async start() {
    const { spawnSync } = await import("node:child_process");
    return spawnSync("true").status;
  },
});
