import { mkdir } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { chooseIsolation } from "../../platform/isolation/choose-isolation.ts";
import { type Isolation, lackingGuarantees } from "../../platform/isolation/isolation.ts";
import { cancelled } from "../../platform/fair-queue.ts";
import { limitMemory } from "../../platform/workers/limit-memory.ts";
import type { MemoryLimit } from "../../platform/workers/memory-limit.ts";
import type { ApiError } from "../../platform/http/errors.ts";
import type { SandboxConfig } from "./config.ts";
import type { Language } from "./contract.ts";
import type { Engine } from "./engines/engine.ts";
import { MAX_MEMORY_BYTES, SESSION_IDLE_MS } from "./contract-limits.ts";
import { sandboxNotIsolated, sandboxUnavailable } from "./sandbox-errors.ts";
import { LIMITS, startSession } from "./session-process.ts";
import { createSessions, type Sessions } from "./sessions.ts";
import type { Limits } from "./watch-processes.ts";

export interface Sandbox extends AsyncDisposable {
  sessions: Sessions;
  /** Why no code can be run here. */
  lacks(): Promise<ApiError | undefined>;
  packages: "standard-library" | "installed";
}

interface Options {
  config: SandboxConfig;
  /** Where interpreters keep what makes them start faster. */
  folder: string;
  /** Where `npm ci` made that before. Default: beside the code. */
  prepared?: string | undefined;
  /** Default: the strongest that works here. */
  isolation?: Isolation;
  limits?: Limits;
  idleMs?: number;
}

/** Does nothing until code is to be run, or somebody asks whether it can be. */
export function openSandbox({
  config,
  folder,
  prepared,
  isolation: given,
  limits = LIMITS,
  idleMs = SESSION_IDLE_MS,
}: Options): Sandbox {
  let found: Promise<[Isolation, MemoryLimit]> | undefined;
  const find = () =>
    (found ??= Promise.all([given ?? isolateBelow(folder), limitMemory(MAX_MEMORY_BYTES)]));
  const engines = new Map<Language, Promise<Engine>>();

  async function lacks(): Promise<ApiError | undefined> {
    const [isolation] = await find();
    // people's code, unlike the reader of a file, is meant to do what its writer wants
    return lackingGuarantees(isolation).length > 0
      ? sandboxNotIsolated(isolation)
      : undefined;
  }

  async function start(language: Language, signal: AbortSignal) {
    const lack = await lacks();
    if (lack) throw lack;
    const [isolation, memory] = await find();
    const engine =
      engines.get(language) ?? chooseEngine(language, config, { folder, prepared });
    engines.set(language, engine);
    const options = { engine: await engine, isolation, memory, limits, signal };
    return startSession(options).catch((error: unknown) => {
      throw signal.aborted ? cancelled() : sandboxUnavailable(error);
    });
  }

  const size = config.SANDBOX_SESSIONS;
  const sessions = createSessions({
    start,
    size,
    startsAtOnce: availableParallelism(),
    idleMs,
  });
  return {
    sessions,
    lacks,
    packages:
      config.SANDBOX_PYTHON || config.SANDBOX_WHEELS ? "installed" : "standard-library",
    [Symbol.asyncDispose]: () => sessions[Symbol.asyncDispose](),
  };
}

/** What is mounted over a folder hides what was in it, so it has one of its own. */
async function isolateBelow(folder: string): Promise<Isolation> {
  const mountPoint = join(folder, "root");
  await mkdir(mountPoint, { recursive: true });
  return chooseIsolation("auto", mountPoint);
}

async function chooseEngine(
  language: Language,
  { SANDBOX_PYTHON: python, SANDBOX_WHEELS: wheels }: SandboxConfig,
  folders: { folder: string; prepared?: string | undefined },
): Promise<Engine> {
  if (language === "javascript") return (await import("./engines/node.ts")).nodeEngine;
  if (python === undefined)
    return (await import("./engines/pyodide.ts")).pyodideEngine({ ...folders, wheels });
  return (await import("./engines/system-python.ts")).systemPython(python);
}
