import { resolve } from "node:path";
import { ConfigError } from "../platform/config/read-config.ts";
import { ApiError, NotFound } from "../platform/http/errors.ts";
import type { SealedFiles } from "../platform/files/sealed-files.ts";
import { configure } from "../server/configure.ts";
import { openFiles } from "../server/open-resources.ts";
import { SERVICES, type ServedName } from "../server/services.ts";

/** How often the progress is printed. */
const REPORT_EVERY = 1_000;

/**
 * Encrypts every stored file with the first key of FILES_ENCRYPTION_KEY that is not yet. It may be
 * stopped and started again at any time. The servers must not run: a file that is deleted while it
 * is encrypted would come back.
 * @returns 1 when a file could not be encrypted.
 */
export async function encryptFiles(env: NodeJS.ProcessEnv): Promise<number> {
  const { config } = await configure(Object.keys(SERVICES) as ServedName[], env);
  if (!config.FILES_ENCRYPTION_KEY)
    throw new ConfigError(
      "FILES_ENCRYPTION_KEY is not set. Generate one: openssl rand -base64 32.",
    );
  await using files = openFiles(config, resolve(config.DATA_DIR), () => []);
  const { encrypted, before, failed } = await encryptAll(files, (count) =>
    console.log(`${count} files encrypted so far`),
  );
  console.log(`${encrypted} files encrypted, ${before} were before, ${failed} failed.`);
  return failed === 0 ? 0 : 1;
}

/** Encrypts each file that is not encrypted with the current key. */
export async function encryptAll(
  files: SealedFiles,
  onProgress: (encrypted: number) => void,
): Promise<{ encrypted: number; before: number; failed: number }> {
  const counts = { encrypted: 0, before: 0, failed: 0 };
  for await (const key of files.list()) {
    try {
      if ((await files.stateOf(key)) === "current") counts.before += 1;
      else {
        const content = await files.read(key);
        await files.write(key, content, { maxBytes: Number.MAX_SAFE_INTEGER / 2 });
        counts.encrypted += 1;
        if (counts.encrypted % REPORT_EVERY === 0) onProgress(counts.encrypted);
      }
    } catch (error) {
      // deleted since it was listed
      if (error instanceof NotFound) continue;
      if (!(error instanceof ApiError)) throw error;
      counts.failed += 1;
      console.error(`${key}: ${error.message}`);
    }
  }
  return counts;
}
