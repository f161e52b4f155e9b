import { join } from "node:path";
import { ConfigError } from "../platform/config/read-config.ts";
import { diskFiles, removeParts } from "../platform/files/disk-files.ts";
import type { Files } from "../platform/files/files.ts";
import { createS3 } from "../platform/files/s3-client.ts";
import { s3Files } from "../platform/files/s3-files.ts";
import { openOutgoing } from "../platform/outgoing/open-outgoing.ts";
import type { ServerConfig } from "./config.ts";

export interface OpenFiles extends Files, AsyncDisposable {
  checks: Record<string, () => Promise<void>>;
}

const CHECK_TIMEOUT_MS = 3_000;
/** Older parts of uploads are abandoned: no upload takes longer. */
const MAX_PART_AGE_MS = 6 * 3_600_000;

/**
 * Opens the file storage: the bucket S3_BUCKET, or the data folder without one.
 * @throws ConfigError for a bucket without its keys.
 */
export function openFiles(
  {
    S3_BUCKET: bucket,
    S3_ENDPOINT,
    S3_REGION: region,
    S3_ACCESS_KEY_ID,
    S3_SECRET_ACCESS_KEY,
    S3_PREFIX,
    OUTGOING_ALLOW,
  }: ServerConfig,
  dataDir: string,
  ownPorts: () => readonly number[],
): OpenFiles {
  if (!bucket) {
    const folder = join(dataDir, "files");
    // in the background; a later start deletes what this one cannot
    void removeParts(folder, Date.now() - MAX_PART_AGE_MS).catch(() => {});
    return { ...diskFiles(folder), checks: {}, async [Symbol.asyncDispose]() {} };
  }
  if (!S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY)
    throw new ConfigError(
      "S3_BUCKET is set, so S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set as well.",
    );
  const endpoint = S3_ENDPOINT ?? `https://s3.${region}.amazonaws.com`;
  // S3_ENDPOINT allows its own host, even a private one
  const outgoing = openOutgoing({
    allow: [...OUTGOING_ALLOW, new URL(endpoint).host, new URL(endpoint).hostname],
    own: ownPorts,
  });
  const keys = { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY };
  const client = createS3({ endpoint, region, bucket, ...keys }, outgoing.fetch);
  return {
    ...s3Files(client, S3_PREFIX),
    checks: {
      async "file storage"() {
        await client.list(S3_PREFIX, undefined, AbortSignal.timeout(CHECK_TIMEOUT_MS));
      },
    },
    [Symbol.asyncDispose]: () => outgoing[Symbol.asyncDispose](),
  };
}
