import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { systemFolders } from "../../../platform/isolation/program-files.ts";
import { once } from "../../../platform/single-flight.ts";
import { FOLDER, MAX_FILES_BYTES } from "../contract-limits.ts";
import type { Engine } from "./engine.ts";

const LOOK_UP_MS = 10_000;
const PRINT_FOLDERS =
  "import json, sys; print(json.dumps([sys.prefix, sys.base_prefix, sys.exec_prefix, sys.executable]))";

/** Where libraries that draw look for fonts. */
const FONTS = ["/etc/fonts"];

const ENVIRONMENT = {
  HOME: FOLDER,
  TMPDIR: FOLDER,
  MPLCONFIGDIR: `${FOLDER}/.matplotlib`,
  MPLBACKEND: "Agg",
  PYTHONDONTWRITEBYTECODE: "1",
  PYTHONUTF8: "1",
  TZ: "UTC",
  PATH: "/usr/bin:/bin",
  // libraries for numbers start a thread for each core
  OPENBLAS_NUM_THREADS: "2",
  OMP_NUM_THREADS: "2",
};

/**
 * The Python at a path, with the packages that are installed for it: a virtual environment, too.
 * Its folders are looked up once, when it is first needed.
 */
export function systemPython(path: string): Engine {
  const folders = once(() => findFolders(path));
  return {
    name: "python",
    async start(isolation) {
      const runner = fileURLToPath(new URL("./system_runner.py", import.meta.url));
      const command = isolation.wrap({
        file: path,
        args: ["-B", "-u", runner, FOLDER],
        readable: [...new Set([...(await folders()), dirname(runner)])],
        space: { path: FOLDER, bytes: MAX_FILES_BYTES },
      });
      return { ...command, environment: ENVIRONMENT };
    },
  };
}

async function findFolders(path: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)(path, ["-I", "-c", PRINT_FOLDERS], {
    timeout: LOOK_UP_MS,
    env: {},
  });
  const [prefix = "", base = "", exec = "", executable = ""] = JSON.parse(
    stdout,
  ) as string[];
  const program = dirname(await realpath(executable));
  const system = systemFolders();
  const others = [prefix, base, exec, program].filter(
    (folder) => !system.some((one) => folder === one || folder.startsWith(`${one}/`)),
  );
  return [...system, ...FONTS.filter((path) => existsSync(path)), ...others];
}
