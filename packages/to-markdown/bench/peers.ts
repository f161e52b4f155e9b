import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { findFormatPeers, type FormatPeer, type PeerResult } from "./format-peers.ts";

const run = promisify(execFile);
const BOUNDS = { maxBuffer: 256 * 1024 * 1024, timeout: 120_000 };

/** Those of the programs `names` that read PDFs and are installed. Prints which are not. */
export async function findPeers(
  names: readonly string[],
  python?: string,
): Promise<FormatPeer[]> {
  const peers = await findFormatPeers(
    names.filter((name) => name !== "pdftotext"),
    python,
  );
  if (!names.includes("pdftotext")) return peers;
  const there = await run("pdftotext", ["-v"]).then(
    () => true,
    () => false,
  );
  if (!there)
    console.log("pdftotext is left out: install poppler-utils to compare with it.");
  else peers.push({ name: "pdftotext -layout", readAll: withPdftotext });
  return peers;
}

async function withPdftotext(paths: readonly string[]): Promise<Map<string, PeerResult>> {
  const results = new Map<string, PeerResult>();
  for (const path of paths) {
    const start = performance.now();
    const result = await run("pdftotext", ["-layout", path, "-"], BOUNDS).then(
      ({ stdout }) => ({ markdown: stdout }),
      (error: unknown) => ({ error: String(error) }),
    );
    results.set(path, { ...result, ms: performance.now() - start });
  }
  return results;
}
