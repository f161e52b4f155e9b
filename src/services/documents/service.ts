import { z } from "zod";
import { bytes, duration, maximum } from "../../platform/config/schemas.ts";
import { forwardChanges } from "../../platform/changes/publish-changes.ts";
import { defineService } from "../../platform/service.ts";
import { confirmedConsumer } from "../../platform/background/confirmed-consumer.ts";
import { deletionsFor } from "../users/contract-user-deletion.ts";
import { openFilePasswords } from "../../platform/files/file-passwords.ts";
import { createAccess } from "./access.ts";
import { documentsContract } from "./contract.ts";
import { REMOVALS } from "./contract-processing.ts";
import { consumeRemoval } from "./delete-documents.ts";
import { findOwners } from "./store.ts";
import { forgetUser } from "./user-deletion.ts";
import { processingConsumers } from "./consumers.ts";
import { recoverNeglected } from "./process-document.ts";
import { CHANGES } from "./processing-store.ts";
import { documentRoutes } from "./routes.ts";

const RECOVERY_INTERVAL_MS = 15_000;
/** A document may wait long for a worker: its message is sent again only after so many leases. */
const WAIT_LEASES = 6;

export default defineService({
  name: "documents",
  port: 4003,
  contract: documentsContract,
  config: z.object({
    DOCUMENT_MAX_BYTES: bytes()
      .default(100 * 2 ** 20)
      .describe("Largest file that can be uploaded, in bytes"),
    DOCUMENTS_QUOTA_BYTES: bytes()
      .default(5 * 2 ** 30)
      .describe("Storage quota of one user, in bytes"),
    DOCUMENTS_PER_USER: maximum(100_000).describe("The most documents of one user"),
    DOCUMENT_FOLDERS_PER_USER: maximum(10_000).describe("The most folders of one user"),
    DOCUMENT_LEASE: duration()
      .default(10 * 60_000)
      .describe(
        "How long a document may go without a progress message before it is restarted",
      ),
    DOCUMENTS_IN_WORK_PER_USER: z.coerce
      .number("must be a whole number")
      .int()
      .min(1)
      .max(10_000)
      .default(16)
      .describe(
        "The most documents of one user that are processed at once; further ones wait",
      ),
  }),
  migrations: new URL("./migrations/", import.meta.url),
  queue: true,
  needs: ["users"],
  uses: ["embedding", "parser"],
  async create({ config, db, cache, files, queue, secrets, peer, hasPeer }) {
    const access = createAccess(peer("users"));
    const processing = {
      db,
      queue,
      files,
      leaseMs: config.DOCUMENT_LEASE,
      waitMs: config.DOCUMENT_LEASE * WAIT_LEASES,
      maxInWork: config.DOCUMENTS_IN_WORK_PER_USER,
    };
    const results = processingConsumers(processing);
    return {
      routes: documentRoutes({
        ...processing,
        access,
        passwords: openFilePasswords(cache, secrets.SERVICE_SECRET),
        embedding: hasPeer("embedding") ? peer("embedding") : undefined,
        parser: hasPeer("parser") ? peer("parser") : undefined,
        cache,
        maxBytes: config.DOCUMENT_MAX_BYTES,
        maxDocuments: config.DOCUMENTS_PER_USER,
        quotaBytes: config.DOCUMENTS_QUOTA_BYTES,
        maxFolders: config.DOCUMENT_FOLDERS_PER_USER,
      }),
      consumers: [
        confirmedConsumer({
          ...deletionsFor("documents", () => peer("users")),
          handle: (deletion) => forgetUser({ db, queue, files }, deletion),
        }),
        { queue: REMOVALS, handle: (delivery) => consumeRemoval({ files }, delivery) },
        ...Object.entries(results).map(([name, handle]) => ({
          queue: name,
          foreign: true,
          handle,
        })),
      ],
      subscriptions: [
        forwardChanges(cache, CHANGES, "document", (ids) => findOwners(db, ids)),
      ],
      jobs: [
        {
          name: "recover-documents",
          intervalMs: RECOVERY_INTERVAL_MS,
          replicas: "each",
          judgesSilence: true,
          onFailure:
            "documents whose lease has expired are recovered at the next run. " +
            "Check the database and the queue.",
          run: (signal) => recoverNeglected(processing, signal),
        },
      ],
    };
  },
});
