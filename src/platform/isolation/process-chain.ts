import { readFile } from "node:fs/promises";

/** Tools such as bubblewrap start a process that in turn starts the requested one. */
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

/** The last process of the chain, which is the requested one. */
export async function innermostProcess(pid: number): Promise<number> {
  return (await processChain(pid)).at(-1) ?? pid;
}

/** @returns undefined also on systems that do not list child processes. */
async function firstChild(pid: number): Promise<number | undefined> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(
    () => "",
  );
  return Number.parseInt(children, 10) || undefined;
}
