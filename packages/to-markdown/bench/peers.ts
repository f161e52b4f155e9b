import { execFile } from "node:child_process";
import { access } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** Another program that turns documents into markdown or text. */
export interface Peer {
  name: string;
  read(path: string): Promise<string>;
}

const run = promisify(execFile);
const BOUNDS = { maxBuffer: 256 * 1024 * 1024, timeout: 120_000 };
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const CALLS: Record<string, string> = {
  pymupdf4llm:
    "import sys, pymupdf4llm; sys.stdout.write(pymupdf4llm.to_markdown(sys.argv[1], show_progress=False))",
  markitdown:
    "import sys; from markitdown import MarkItDown; sys.stdout.write(MarkItDown().convert(sys.argv[1]).text_content)",
};

/** The peers of `names` that are on this machine; says which are not, and how to get them. */
export async function findPeers(names: readonly string[]): Promise<Peer[]> {
  const peers: Peer[] = [];
  for (const name of names) {
    const peer = name === "pdftotext" ? await pdftotext() : await inPython(name);
    if (peer) peers.push(peer);
    else if (name === "pdftotext")
      console.log("pdftotext is left out: install poppler-utils to compare with it.");
    else
      console.log(
        `${name} is left out: run packages/to-markdown/bench/make-peers.sh to compare with it.`,
      );
  }
  return peers;
}

async function pdftotext(): Promise<Peer | undefined> {
  const there = await run("pdftotext", ["-v"]).then(
    () => true,
    () => false,
  );
  if (!there) return undefined;
  return {
    name: "pdftotext -layout",
    read: async (path) => (await run("pdftotext", ["-layout", path, "-"], BOUNDS)).stdout,
  };
}

async function inPython(name: string): Promise<Peer | undefined> {
  const python = here(".peers/bin/python");
  const call = CALLS[name];
  const there = await access(python).then(
    () => true,
    () => false,
  );
  if (!there || call === undefined) return undefined;
  return { name, read: async (path) => (await run(python, ["-c", call, path], BOUNDS)).stdout };
}
