import { hash } from "node:crypto";
import { openSecret, sealSecret } from "../auth/secrets.ts";
import type { Cache } from "../cache/cache.ts";

/**
 * The passwords of files that wait to be parsed. They are in the cache only, encrypted, until the
 * file is parsed, for an hour at most: never in the database, in messages or in the file storage.
 */
export interface FilePasswords {
  /** `id`: of the document, or of a parsing job without one. `origin`: the user who sent it. */
  keep(id: string, password: string, origin: string): Promise<void>;
  find(id: string): Promise<string | undefined>;
  forget(id: string): Promise<void>;
}

const MAX_WAIT_MS = 3_600_000;

export function openFilePasswords(cache: Cache, serviceSecret: string): FilePasswords {
  const key = hash("sha256", `passwords of files ${serviceSecret}`, "base64");
  const nameOf = (id: string) => `file-password:${id}`;
  return {
    keep: (id, password, origin) =>
      cache.set(nameOf(id), sealSecret(password, key), MAX_WAIT_MS, origin),
    async find(id) {
      const sealed = await cache.get(nameOf(id));
      return sealed === null ? undefined : openSecret(sealed, key);
    },
    forget: (id) => cache.delete(nameOf(id)),
  };
}
