import { readFile } from "node:fs/promises";

/** bubblewrap and the like start a process that starts the one that is meant. */
const MAX_LENGTH = 6;

/** A process, the first child of it, the first child of that, and so on. */
export async function processChain(pid: number): Promise<[number, ...number[]]> {
  const chain: [number, ...number[]] = [pid];
  for (let child = await firstChild(pid); child; child = await firstChild(child)) {
    chain.push(child);
    if (chain.length === MAX_LENGTH) break;
  }
  return chain;
}

/** The process at the end: the one that is meant. */
export async function innermostProcess(pid: number): Promise<number> {
  return (await processChain(pid)).at(-1) ?? pid;
}

/** @returns undefined also where the system has no such list. */
async function firstChild(pid: number): Promise<number | undefined> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  return Number.parseInt(children, 10) || undefined;
}
