import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { memoryCache } from "../../../platform/cache/memory.ts";
import { migrate } from "../../../platform/db/migrate.ts";
import { diskFiles } from "../../../platform/files/disk-files.ts";
import type { Queue } from "../../../platform/queue/queue.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { testDatabase } from "../../../platform/testing/database.ts";
import { openFilePasswords } from "../../../platform/files/file-passwords.ts";
import { endJob } from "./job-store.ts";
import { submitJob } from "./manage-jobs.ts";

test("a user has at most 50 parsing jobs that have not ended, also when sent at once", async () => {
  await using db = await testDatabase();
  const schema = { schema: "parser", folder: new URL("../migrations/", import.meta.url) };
  await migrate(db, { ...schema, log: silentLog() });
  const folder = await mkdtemp(join(tmpdir(), "parlance-files-"));
  const published: string[] = [];
  const queue = {
    publish: async (_: string, { jobId }: { jobId: string }) => void published.push(jobId),
  } as unknown as Queue; // all that is asked of it
  const submit = (ownerId: string | null) =>
    submitJob(
      {
        db,
        queue,
        files: diskFiles(folder),
        passwords: openFilePasswords(memoryCache(), "secret"),
      },
      new Request("http://parser/", {
        method: "POST",
        body: "words",
        headers: { "x-original-filename": "a.txt" },
      }),
      {
        documentId: null,
        ownerId,
        options: {} as Parameters<typeof submitJob>[2]["options"],
        idempotencyKey: null,
        maxBytes: 100,
        signal: AbortSignal.timeout(60_000),
      },
    );
  const answers = await Promise.allSettled(Array.from({ length: 52 }, () => submit("eve")));
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(50);
  expect(answers.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { status: 429, code: "too_many_jobs" },
  });
  expect(published).toHaveLength(50);
  await submit("bob");
  await submit(null);
  await endJob(db, published[0] ?? "", { code: "cancelled", message: "" });
  await submit("eve");
  await rm(folder, { recursive: true });
});
