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
 * The shared secrets: from the environment, else from the data folder, where the first start of all
 * services in one process writes them (mode 0600). Some services alone have those of the
 * environment.
 */
export async function loadSecrets(
  config: ServerConfig,
  dataDir: string,
  allServices: boolean,
): Promise<Secrets> {
  const unset = NAMES.filter((name) => config[name] === undefined);
  if (unset.length === 0 || !allServices) return pick(config, {});
  const file = join(dataDir, "secrets.json");
  const kept = await readKept(file);
  const missing = unset.filter((name) => kept[name] === undefined);
  if (missing.length > 0) {
    for (const name of missing) kept[name] = randomSecret(32);
    await makeFolder(dataDir);
    try {
      await writeFile(`${file}.new`, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 });
      await rename(`${file}.new`, file);
    } catch (error) {
      throw unusableFolder(dataDir, error as NodeJS.ErrnoException); // as the file system gives them
    }
  }
  return pick(config, kept);
}

async function readKept(file: string): Promise<Partial<Secrets>> {
  try {
    const kept: unknown = JSON.parse(await readFile(file, "utf8"));
    return typeof kept === "object" && kept !== null ? kept : {};
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return {};
    throw new Error(
      `${file} cannot be read. Restore it from a backup: stored provider keys cannot be decrypted without it.`,
      {
        cause: error,
      },
    );
  }
}

function pick(config: ServerConfig, kept: Partial<Secrets>): Secrets {
  const value = (name: keyof Secrets) => config[name] ?? kept[name] ?? "";
  return {
    MCP_SERVICE_SECRET: value("MCP_SERVICE_SECRET"),
    COMPLETION_SERVICE_SECRET: value("COMPLETION_SERVICE_SECRET"),
    USER_SERVICE_SECRET: value("USER_SERVICE_SECRET"),
    SERVICE_SECRET: value("SERVICE_SECRET"),
    ENCRYPTION_KEY: value("ENCRYPTION_KEY"),
  };
}
