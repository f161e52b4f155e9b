import type { Files } from "../../platform/files/files.ts";
import type { Fetch } from "../../platform/http/call.ts";
import { NotFound } from "../../platform/http/errors.ts";
import { imageTypeOf } from "../../platform/image-type.ts";
import { documentsContract } from "../documents/contract.ts";
import type { CodeResult, InputFile, Printed, WrittenFile } from "./contract.ts";
import { MAX_FILES_BYTES } from "./contract-limits.ts";
import { filesTooLarge } from "./sandbox-errors.ts";
import type { Owner, Session, Sessions } from "./sessions.ts";

export interface RunDeps {
  sessions: Sessions;
  files: Files;
  /** Absent without a documents service. */
  documents: Fetch | undefined;
}

interface CodeRequest extends Owner {
  previousSession?: string | undefined;
  code: string;
  files: readonly InputFile[];
  storeUnder: string;
}

/** Runs code in the session of a conversation, and stores what it writes. @throws ApiError. */
export async function runCode(
  deps: RunDeps,
  { code, files, storeUnder, ...caller }: CodeRequest,
  signal: AbortSignal,
  onOutput?: (part: Printed) => void,
): Promise<CodeResult> {
  return deps.sessions.use(caller, signal, async (session, isNew) => {
    const { process } = session;
    await giveFiles(deps, session, files, signal);
    const written: WrittenFile[] = [];
    const startedAt = performance.now();
    const ran = await process.run(code, {
      signal,
      onOutput,
      async onFile(name, size, body) {
        const key = `${storeUnder}/${written.length}`;
        const file = await storeFile(deps.files, { key, name, size }, body, signal);
        session.versions.set(name, file.sha256);
        written.push(file);
      },
    });
    signal.throwIfAborted();
    const { ending, ...said } = ran;
    return {
      ...said,
      // a call that was cancelled has thrown
      ...(ending && ending !== "cancelled" && { ending }),
      isLost: process.ended,
      files: written,
      isNew,
      session: session.id,
      interpreter: process.version,
      durationMs: Math.round(performance.now() - startedAt),
    };
  });
}

/** Puts those of the files into the folder that it lacks in these versions. */
async function giveFiles(
  deps: RunDeps,
  { process, versions }: Session,
  files: readonly InputFile[],
  signal: AbortSignal,
): Promise<void> {
  let bytes = 0;
  for (const { name, size, version, from } of files) {
    bytes += size;
    if (bytes > MAX_FILES_BYTES) throw filesTooLarge(name, MAX_FILES_BYTES);
    if (versions.get(name) === version) continue;
    const body = await readInput(deps, from, signal);
    // the user may have deleted it a moment ago
    if (!body) continue;
    await process.put(name, size, body);
    versions.set(name, version);
  }
}

async function readInput(
  { files, documents }: RunDeps,
  from: InputFile["from"],
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  if (from.kind === "stored")
    return files.read(from.key).catch((error: unknown) => {
      if (error instanceof NotFound) return undefined;
      throw error;
    });
  const path = documentsContract.content.path.replace(":id", from.id);
  const response = await documents?.(new Request(`http://documents${path}`, { signal }));
  return (response?.ok && response.body) || undefined;
}

interface Named {
  key: string;
  name: string;
  size: number;
}

async function storeFile(
  files: Files,
  { key, name, size }: Named,
  body: AsyncIterable<Buffer>,
  signal: AbortSignal,
): Promise<WrittenFile> {
  let start: Buffer | undefined;
  async function* noticed() {
    for await (const chunk of body) {
      start ??= chunk;
      yield chunk;
    }
  }
  const { sha256 } = await files.write(key, noticed(), { maxBytes: size, signal });
  return { key, name, size, sha256, mediaType: mediaTypeOf(name, start) };
}

const BY_ENDING: Readonly<Record<string, string>> = {
  csv: "text/csv",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  html: "text/html",
  json: "application/json",
  js: "text/javascript",
  jsonl: "application/jsonl",
  md: "text/markdown",
  mjs: "text/javascript",
  ods: "application/vnd.oasis.opendocument.spreadsheet",
  odt: "application/vnd.oasis.opendocument.text",
  parquet: "application/vnd.apache.parquet",
  pdf: "application/pdf",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  py: "text/x-python",
  svg: "image/svg+xml",
  tsv: "text/tab-separated-values",
  txt: "text/plain",
  wav: "audio/wav",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  xml: "application/xml",
  zip: "application/zip",
};

function mediaTypeOf(name: string, start: Uint8Array = new Uint8Array()): string {
  const imageType = imageTypeOf(start); // what a page shows as a picture must be one
  if (imageType) return imageType;
  const ending = name.split(".").at(-1)?.toLowerCase() ?? "";
  return BY_ENDING[ending] ?? "application/octet-stream";
}
