import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { randomSecret } from "../platform/auth/secrets.ts";
import { makeFolder, unusableFolder } from "../platform/files/make-folder.ts";
import type { Secrets } from "../platform/service.ts";
import type { ServerConfig } from "./config.ts";

const NAMES = [
  "MCP_SERVICE_SECRET",
  "COMPLETION_SERVICE_SECRET",
  "USER_SERVICE_SECRET",
  "SERVICE_SECRET",
  "ENCRYPTION_KEY",
] as const satisfies (keyof Secrets)[];

/**
 * The shared secrets: from the environment, else from secrets.json in the data folder. The first
 * start of all services in one process generates that file (mode 0600). A process with only some
 * services reads the environment alone.
 */
export async function loadSecrets(
  config: ServerConfig,
  dataDir: string,
  allServices: boolean,
): Promise<Secrets> {
  const unset = NAMES.filter((name) => config[name] === undefined);
  if (unset.length === 0 || !allServices) return pick(config, {});
  const file = join(dataDir, "secrets.json");
  const stored = await readStored(file);
  const missing = unset.filter((name) => stored[name] === undefined);
  if (missing.length > 0) {
    for (const name of missing) stored[name] = randomSecret(32);
    await makeFolder(dataDir);
    try {
      await writeFile(`${file}.new`, `${JSON.stringify(stored, null, 2)}\n`, {
        mode: 0o600,
      });
      await rename(`${file}.new`, file);
    } catch (error) {
      throw unusableFolder(dataDir, error as NodeJS.ErrnoException); // the file system throws no other
    }
  }
  return pick(config, stored);
}

async function readStored(file: string): Promise<Partial<Secrets>> {
  try {
    const stored: unknown = JSON.parse(await readFile(file, "utf8"));
    return typeof stored === "object" && stored !== null ? stored : {};
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return {};
    throw new Error(
      `${file} cannot be read. Restore it from a backup: without it, stored provider keys cannot be decrypted.`,
      { cause: error },
    );
  }
}

function pick(config: ServerConfig, stored: Partial<Secrets>): Secrets {
  const value = (name: keyof Secrets) => config[name] ?? stored[name] ?? "";
  return {
    MCP_SERVICE_SECRET: value("MCP_SERVICE_SECRET"),
    COMPLETION_SERVICE_SECRET: value("COMPLETION_SERVICE_SECRET"),
    USER_SERVICE_SECRET: value("USER_SERVICE_SECRET"),
    SERVICE_SECRET: value("SERVICE_SECRET"),
    ENCRYPTION_KEY: value("ENCRYPTION_KEY"),
  };
}
