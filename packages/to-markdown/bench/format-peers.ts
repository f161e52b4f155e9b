import { execFile, spawn } from "node:child_process";
import { access } from "node:fs/promises";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export interface PeerResult {
  markdown?: string;
  error?: string;
  /** Page headers and footers of PDFs, where the program distinguishes them. */
  runningHeads?: string;
  /** Invisible text of PDFs. */
  unseen?: string;
  ms: number;
}

/** Another program that reads Office files, books and web pages. */
export interface FormatPeer {
  name: string;
  readAll(paths: readonly string[]): Promise<Map<string, PeerResult>>;
}

const run = promisify(execFile);
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const BOUNDS = { maxBuffer: 256 * 1024 * 1024, timeout: 60_000 };

/** Those of `names` that are installed. Prints which are not, and how to install them. */
export async function findFormatPeers(
  names: readonly string[],
  python = here(".peers/bin/python"),
): Promise<FormatPeer[]> {
  const peers: FormatPeer[] = [];
  for (const name of names) {
    if (name === "pandoc") {
      const there = await run("pandoc", ["--version"]).then(
        () => true,
        () => false,
      );
      if (there) peers.push({ name, readAll: withPandoc });
      else console.log("pandoc is left out: install pandoc to compare with it.");
      continue;
    }
    const there = await access(python)
      .then(() => run(python, ["-c", `import ${name}`], BOUNDS))
      .then(
        () => true,
        () => false,
      );
    if (there) peers.push({ name, readAll: (paths) => readInPython(python, name, paths) });
    else
      console.log(
        `${name} is left out: run packages/to-markdown/bench/make-peers.sh to compare with it.`,
      );
  }
  return peers;
}

const PANDOC: Record<string, string> = {
  htm: "html",
  asciidoc: "",
  doc: "",
  xls: "",
  ppt: "",
  eml: "",
  msg: "",
  md: "gfm",
  xlsm: "xlsx",
};

/** Converts a file to GitHub-flavoured Markdown with pandoc. */
export async function pandocMarkdown(path: string, from: string): Promise<string> {
  return (await run("pandoc", ["-f", from, "-t", "gfm", "--wrap=none", path], BOUNDS))
    .stdout;
}

async function withPandoc(paths: readonly string[]): Promise<Map<string, PeerResult>> {
  const results = new Map<string, PeerResult>();
  for (const path of paths) {
    const extension = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
    const start = performance.now();
    const result = await pandocMarkdown(path, PANDOC[extension] ?? extension).then(
      (markdown) => ({ markdown }),
      (error: unknown) => ({ error: String(error).split("\n")[1] ?? String(error) }),
    );
    results.set(path, { ...result, ms: performance.now() - start });
  }
  return results;
}

async function readInPython(
  python: string,
  name: string,
  paths: readonly string[],
): Promise<Map<string, PeerResult>> {
  const results = new Map<string, PeerResult>();
  const child = spawn(python, [here("read_many.py"), name], {
    stdio: ["pipe", "pipe", "ignore"],
    timeout: 1_200_000,
  });
  child.stdin.end(`${paths.join("\n")}\n`);
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith("{")) continue;
    // the Python script beside this file writes such lines
    const { path, ...result } = JSON.parse(line) as PeerResult & { path: string };
    results.set(path, result);
  }
  return results;
}
