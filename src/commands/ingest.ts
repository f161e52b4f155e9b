import { openAsBlob } from "node:fs";
import { basename, join, resolve } from "node:path";
import { call, type Fetch, stream } from "../platform/http/call.ts";
import { allItems, type PageQuery } from "../platform/http/page.ts";
import { documentsContract } from "../services/documents/contract.ts";
import type { StoredDocument } from "../services/documents/contract-stored.ts";
import { type ClientOptions, signedInClient, uploadFile } from "./client.ts";
import { readdir, stat } from "node:fs/promises";
import type { WriteStream } from "node:tty";

interface IngestOptions extends ClientOptions {
  folder?: string | undefined;
}

/** Files that are uploaded and followed at the same time. */
const CONCURRENCY = 4;
/** The longest time without an event of a document. */
const IDLE_TIMEOUT_MS = 900_000;

/**
 * Uploads files and folders, and follows each file until it is processed. Creates the folders of
 * the disk.
 * @returns the exit code: 1 when any file failed.
 */
export async function ingest(
  paths: readonly string[],
  options: IngestOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  if (paths.length === 0)
    throw new Error("Name files or folders: parlance ingest handbook.pdf notes/");
  const files = await collectFiles(paths);
  if (files.length === 0)
    throw new Error("No file to ingest. Hidden files and empty folders are skipped.");
  const client = await signedInClient(options, env);
  const folderOf = createFolderFinder(client, options.folder);
  const progress = showProgress(files.length, process.stderr);
  const waiting = files.values();
  const work = async () => {
    // the workers share one iterator
    for (const file of waiting) await ingestFile(client, file, folderOf, progress);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  const { done, known, failed } = progress.end();
  console.log(`${done} ingested, ${known} unchanged, ${failed} failed.`);
  return failed > 0 ? 1 : 0;
}

async function ingestFile(
  client: Fetch,
  { path, folders }: FoundFile,
  folderOf: (folders: readonly string[]) => Promise<string | undefined>,
  progress: Progress,
): Promise<void> {
  const name = basename(path);
  const line = progress.begin(name);
  try {
    // streamed from the disk
    const file = await openAsBlob(path);
    const document = await uploadFile(client, file, name, await folderOf(folders));
    if (document.deduplicated && document.status === "PROCESSED") return line.end("known");
    const end = await follow(client, document, (status, share) =>
      line.show(status.toLowerCase(), share),
    );
    if (end.status === "PROCESSED") line.end(document.deduplicated ? "known" : "done");
    else line.end("failed", end.error?.message ?? "Processing was stopped.");
  } catch (error) {
    line.end("failed", error instanceof Error ? error.message : String(error));
  }
}

/** Reads events until processing ends. @returns the last state. */
async function follow(
  client: Fetch,
  { id, status, error }: StoredDocument,
  show: (status: string, progress: number) => void,
): Promise<Pick<StoredDocument, "status" | "error">> {
  let last: Pick<StoredDocument, "status" | "error"> = { status, error };
  for await (const batch of stream(
    client,
    documentsContract.events,
    { params: { id } },
    { timeoutMs: IDLE_TIMEOUT_MS },
  )) {
    for (const event of batch) {
      last = event;
      show(event.status, event.progress);
    }
  }
  return last;
}

/** Finds or creates the folders of a path, each once, below the folder `root`. */
function createFolderFinder(client: Fetch, root: string | undefined) {
  const cached = new Map<string, Promise<string | undefined>>();
  const folderOf = (folders: readonly string[]): Promise<string | undefined> => {
    const key = JSON.stringify(folders);
    const known = cached.get(key);
    if (known) return known;
    const name = folders.at(-1);
    const folder =
      name === undefined
        ? Promise.resolve(root)
        : folderOf(folders.slice(0, -1)).then((parentId) =>
            findOrCreate(client, name, parentId),
          );
    cached.set(key, folder);
    return folder;
  };
  return folderOf;
}

async function findOrCreate(
  client: Fetch,
  name: string,
  parentId: string | undefined,
): Promise<string> {
  const readOne = (page: PageQuery) => {
    const query = { ...page, ...(parentId !== undefined && { parentId }) };
    return call(client, documentsContract.listFolders, { query });
  };
  for await (const folder of allItems(readOne))
    if (folder.name === name && folder.parentId === (parentId ?? null)) return folder.id;
  const body = { name, parentId: parentId ?? null };
  const created = await call(client, documentsContract.createFolder, { body });
  return created.id;
}

interface FoundFile {
  path: string;
  /** Names of the parent folders, from the folder given on the command line downwards. */
  folders: string[];
}

const MAX_DEPTH = 20;

/**
 * The given files and all files of the given folders, sorted by name. Skips hidden files and links.
 * @throws Error for a path that does not exist.
 */
async function collectFiles(paths: readonly string[]): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  for (const given of paths) {
    const path = resolve(given);
    const kind = await stat(path).catch(() => {
      throw new Error(`No file or folder "${given}".`);
    });
    if (kind.isDirectory()) await collect(path, [basename(path)], found);
    else found.push({ path, folders: [] });
  }
  return found;
}

async function collect(
  folder: string,
  folders: string[],
  found: FoundFile[],
): Promise<void> {
  if (folders.length > MAX_DEPTH)
    throw new Error(
      `"${folder}" is deeper than ${MAX_DEPTH} folders. Ingest a subfolder instead.`,
    );
  const entries = (await readdir(folder, { withFileTypes: true }))
    .filter(({ name }) => !name.startsWith("."))
    .toSorted((one, other) =>
      one.name.localeCompare(other.name, undefined, { numeric: true }),
    );
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await collect(path, [...folders, entry.name], found);
    else if (entry.isFile()) found.push({ path, folders });
  }
}

type Outcome = "done" | "known" | "failed";

interface Progress {
  begin(name: string): ProgressLine;
  /** @returns the number of files by outcome. */
  end(): Record<Outcome, number>;
}

interface ProgressLine {
  /** `share`: from 0 to 1. */
  show(step: string, share: number): void;
  end(outcome: Outcome, reason?: string): void;
}

const BAR_CHARACTERS = 24;
const NAME_CHARACTERS = 36;
const MARK = { done: "✓", known: "=", failed: "✗" };
const REDRAW_MS = 100;

/**
 * Prints a line for each file that has ended and, on a terminal, bars for those in progress below.
 */
function showProgress(total: number, out: Pick<WriteStream, "write" | "isTTY">): Progress {
  const counts = { done: 0, known: 0, failed: 0 };
  const open = new Map<object, { name: string; step: string; share: number }>();
  let drawn = 0;
  let last = 0;
  const clearBars = () => {
    if (drawn > 0) out.write(`\u001b[${drawn}A\u001b[J`);
    drawn = 0;
  };
  const draw = () => {
    if (!out.isTTY) return;
    clearBars();
    const ended = counts.done + counts.known + counts.failed;
    const lines = [...open.values()].map(
      ({ name, step, share }) => `  ${fit(name)} ${bar(share)} ${step}`,
    );
    if (ended < total) lines.push(`  ${fit(`${ended} of ${total}`)} ${bar(ended / total)}`);
    out.write(lines.map((line) => `${line}\n`).join(""));
    drawn = lines.length;
    last = Date.now();
  };
  return {
    begin(name) {
      const line = { name, step: "uploading", share: 0 };
      open.set(line, line);
      draw();
      return {
        show(step, share) {
          Object.assign(line, { step, share });
          if (Date.now() - last >= REDRAW_MS) draw();
        },
        end(outcome, reason) {
          open.delete(line);
          counts[outcome] += 1;
          clearBars();
          out.write(`${MARK[outcome]} ${name}${reason ? `: ${reason}` : ""}\n`);
          draw();
        },
      };
    },
    end() {
      clearBars();
      return counts;
    },
  };
}

function bar(share: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * BAR_CHARACTERS);
  return `${"█".repeat(filled)}${"░".repeat(BAR_CHARACTERS - filled)}`;
}

function fit(name: string): string {
  return name.length > NAME_CHARACTERS
    ? `${name.slice(0, NAME_CHARACTERS - 1)}…`
    : name.padEnd(NAME_CHARACTERS);
}
