import { execFile, spawn } from "node:child_process";
import { promisify } from "node:util";
import { ApiError } from "../../../platform/http/errors.ts";
import type { MemoryLimit } from "../child/limit-memory.ts";
import type { OcrEngine, Picture } from "./ocr-engine.ts";

export interface TesseractSettings {
  /** The command, by name or path. */
  command: string;
  /** Wanted languages, such as `eng`; those that are not installed are left out. */
  languages: readonly string[];
  /** Of one picture. */
  timeoutMs: number;
  memory: MemoryLimit;
}

const MAX_TEXT_CHARACTERS = 4 * 2 ** 20;

/** Tesseract, where this machine has it with a language: a process of its own for each picture, under the same limits as every reader. */
export async function tesseract(settings: TesseractSettings): Promise<OcrEngine> {
  const { command, languages } = settings;
  const installed = await installedLanguages(command);
  const used =
    installed?.length === 0 ? [] : languages.filter((language) => installed?.includes(language));
  const chosen = used.length > 0 ? used : installed?.slice(0, 1);
  const absent = !installed
    ? `the command ${command} is not installed`
    : installed.length === 0
      ? `${command} has no language data`
      : undefined;
  return {
    name: "ocr:tesseract",
    ...(absent && { absent }),
    reads: (mimeType) => /^image\/(?:png|jpeg|tiff|bmp|gif|webp)$/.test(mimeType),
    read: (picture, signal) => recognise(settings, chosen ?? [], picture, signal),
  };
}

async function installedLanguages(command: string): Promise<string[] | undefined> {
  try {
    const { stdout } = await promisify(execFile)(command, ["--list-langs"], {
      timeout: 5_000,
      env: environment(),
    });
    return stdout
      .split("\n")
      .slice(1)
      .map((line) => line.trim())
      .filter((line) => line !== "" && line !== "osd");
  } catch {
    return undefined;
  }
}

function recognise(
  { command, timeoutMs, memory }: TesseractSettings,
  languages: readonly string[],
  { bytes }: Picture,
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    // from and to the pipes: nothing of the file's making becomes a path or an argument
    const child = spawn(command, ["stdin", "stdout", "-l", languages.join("+")], {
      stdio: ["pipe", "pipe", "ignore"],
      env: environment(),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      killSignal: "SIGKILL",
    });
    const held =
      child.pid === undefined ? undefined : memory.hold(child.pid, () => child.kill("SIGKILL"));
    held?.catch(() => child.kill("SIGKILL"));
    const chunks: Buffer[] = [];
    let size = 0;
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.byteLength;
      if (size > MAX_TEXT_CHARACTERS) child.kill("SIGKILL");
      else chunks.push(chunk);
    });
    // it may end before it has read everything
    child.stdin.on("error", () => {});
    child.stdin.end(bytes);
    child.once("error", (error) => reject(signal.aborted ? error : failed(error)));
    child.once("close", (code) => {
      void held?.then((limit) => limit.release()).catch(() => {});
      if (code === 0) resolve(Buffer.concat(chunks).toString().replaceAll("\f", "\n").trim());
      else reject(failed(new Error(`code ${code}`)));
    });
  });
}

function failed(cause: Error): ApiError {
  return new ApiError(422, "ocr_failed", "Tesseract could not read the picture.", { cause });
}

/** Nothing of our environment but what finds the program and its languages. */
function environment(): NodeJS.ProcessEnv {
  const { PATH, TESSDATA_PREFIX } = process.env;
  return {
    ...(PATH && { PATH }),
    ...(TESSDATA_PREFIX && { TESSDATA_PREFIX }),
    OMP_THREAD_LIMIT: "1",
  };
}
