import type { Absence } from "../absence.ts";
import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import { ApiError } from "../../../platform/http/errors.ts";
import { createFairQueue, type QueueLimits } from "../../../platform/fair-queue.ts";
import type { MemoryLimit } from "../../../platform/workers/memory-limit.ts";
import type { Isolation } from "../../../platform/isolation/isolation.ts";
import { systemFolders, findCommand } from "../../../platform/isolation/program-files.ts";
import type { OcrEngine, Picture } from "./ocr-engine.ts";

export interface TesseractSettings {
  /** The command, as a name or path. */
  command: string;
  /** Requested languages, such as `eng`. Languages that are not installed are ignored. */
  languages: readonly string[];
  /** The time limit for one image. */
  timeoutMs: number;
  memory: MemoryLimit;
  isolation: Isolation;
  /** How many images are read at once; users take turns. */
  processes: number;
}

const MAX_TEXT_CHARACTERS = 4 * 2 ** 20;

/**
 * Tesseract, if it is installed with a language. Each image has a process of its own, with the
 * limits and isolation of every reader.
 */
export async function tesseract(settings: TesseractSettings): Promise<OcrEngine> {
  const { command, languages, isolation } = settings;
  const path = await findCommand(command);
  const start = (args: readonly string[]) => isolated(isolation, path ?? command, args);
  const installed = path === undefined ? undefined : await installedLanguages(start);
  const used =
    installed?.length === 0
      ? []
      : languages.filter((language) => installed?.includes(language));
  const chosen = used.length > 0 ? used : installed?.slice(0, 1);
  const isFound = path !== undefined;
  const absent = whyAbsent(command, { isFound, isolation: isolation.kind, installed });
  const line = createFairQueue(turnsOf(settings.processes));
  return {
    name: "ocr:tesseract",
    ...(absent && { absent }),
    reads: (mimeType) => /^image\/(?:png|jpeg|tiff|bmp|gif|webp)$/.test(mimeType),
    async read(picture, { signal, userId }) {
      // the parse that it belongs to has a limit of time, and bounds what waits
      const leave = await line.enter(userId, { signal, isBackground: true });
      try {
        return await recognise(settings, start(readPicture(chosen ?? [])), picture, signal);
      } finally {
        leave();
      }
    },
  };
}

function turnsOf(size: number): QueueLimits {
  const busy = () => failed(new Error("too many images wait"));
  const maxWaitMs = 2 ** 31 - 1;
  return {
    size,
    maxWaiting: Infinity,
    maxPerUser: Infinity,
    maxWaitMs,
    busy,
    tooMany: busy,
  };
}

interface Found {
  isFound: boolean;
  isolation: string;
  /** Undefined where the command does not run. */
  installed: readonly string[] | undefined;
}

function whyAbsent(command: string, found: Found): Absence | undefined {
  const { isFound, isolation, installed } = found;
  if (!isFound)
    return {
      code: "command_missing",
      message: `the command ${command} is not installed`,
      params: { command },
    };
  if (!installed)
    return {
      code: "command_fails",
      message: `the command ${command} does not run (isolation: ${isolation})`,
      params: { command, isolation },
    };
  if (installed.length > 0) return undefined;
  return {
    code: "languages_missing",
    message: `${command} has no language data`,
    params: { command },
  };
}

type Start = ReturnType<Isolation["wrap"]>;

/** Uses only pipes, so that nothing from the file becomes a path or an argument. */
function readPicture(languages: readonly string[]): string[] {
  return ["stdin", "stdout", "-l", languages.join("+")];
}

/** The process sees the system's programs, Tesseract and its languages. */
function isolated(isolation: Isolation, path: string, args: readonly string[]): Start {
  const { TESSDATA_PREFIX: data } = process.env;
  const readable = [...systemFolders(), path, ...(data && existsSync(data) ? [data] : [])];
  const inner = readable.filter(
    (one) => !readable.some((outer) => one.startsWith(`${outer}/`)),
  );
  return isolation.wrap({ file: path, args, readable: inner });
}

async function installedLanguages(
  start: (args: string[]) => Start,
): Promise<string[] | undefined> {
  const { file, args } = start(["--list-langs"]);
  try {
    const { stdout } = await promisify(execFile)(file, args, {
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
  { timeoutMs, memory }: TesseractSettings,
  { file, args }: Start,
  { bytes }: Picture,
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      stdio: ["pipe", "pipe", "ignore"],
      env: environment(),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      killSignal: "SIGKILL",
    });
    const end = () => child.kill("SIGKILL");
    const held = child.pid === undefined ? undefined : memory.hold(child.pid, end);
    held?.catch(end);
    const chunks: Buffer[] = [];
    let size = 0;
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.byteLength;
      if (size > MAX_TEXT_CHARACTERS) end();
      else chunks.push(chunk);
    });
    // the process may end before it has read everything
    child.stdin.on("error", () => {});
    child.stdin.end(bytes);
    child.once("error", (error) => reject(signal.aborted ? error : failed(error)));
    child.once("close", (code) => {
      // the process has ended, and with it what is measured
      void held?.then((limit) => limit.release()).catch(() => {});
      if (code === 0)
        resolve(Buffer.concat(chunks).toString().replaceAll("\f", "\n").trim());
      else reject(failed(new Error(`code ${code}`)));
    });
  });
}

function failed(cause: Error): ApiError {
  return new ApiError(422, "ocr_failed", "Tesseract could not read the picture.", {
    cause,
  });
}

/** The environment contains only what finds the program and its languages. */
function environment(): NodeJS.ProcessEnv {
  const { PATH, TESSDATA_PREFIX } = process.env;
  return {
    ...(PATH && { PATH }),
    ...(TESSDATA_PREFIX && { TESSDATA_PREFIX }),
    OMP_THREAD_LIMIT: "1",
  };
}
