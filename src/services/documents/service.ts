import { z } from "zod";
import { bytes, duration, maximum } from "../../platform/config/schemas.ts";
import { defineService } from "../../platform/service.ts";
import { userDeletionQueue } from "../users/contract-user-deletion.ts";
import { createAccess } from "./access.ts";
import { documentsContract } from "./contract.ts";
import { REMOVALS, takeRemoval } from "./delete-documents.ts";
import { userDeletions } from "./user-deletion.ts";
import { processingConsumers } from "./consumers.ts";
import { sendAllHeld } from "./send-held.ts";
import { recoverLost } from "./recover-lost.ts";
import { documentRoutes } from "./routes.ts";

const SWEEP_MS = 15_000;
/** Many files wait for few workers: a message is sent again only after so many leases. */
const WAIT_LEASES = 6;

export default defineService({
  name: "documents",
  port: 4003,
  contract: documentsContract,
  config: z.object({
    DOCUMENT_MAX_BYTES: bytes()
      .default(100 * 2 ** 20)
      .describe("Largest file that may be uploaded, in bytes"),
    DOCUMENTS_QUOTA_BYTES: bytes()
      .default(5 * 2 ** 30)
      .describe("What one user may store in all, in bytes"),
    DOCUMENT_FOLDERS_PER_USER: maximum(10_000).describe("Folders that one user may have"),
    DOCUMENT_LEASE: duration()
      .default(10 * 60_000)
      .describe("How long nothing may be heard of a document in work before it begins anew"),
    DOCUMENTS_IN_WORK_PER_USER: z.coerce
      .number("must be a whole number")
      .int()
      .min(1)
      .max(10_000)
      .default(16)
      .describe("Documents of one user that are parsed and embedded at once; more wait their turn"),
  }),
  migrations: new URL("./migrations/", import.meta.url),
  queue: true,
  needs: ["users"],
  uses: ["embedding"],
  async create({ config, db, files, queue, log, peer, hasPeer }) {
    const access = createAccess(peer("users"));
    const processing = {
      db,
      queue,
      files,
      leaseMs: config.DOCUMENT_LEASE,
      waitMs: config.DOCUMENT_LEASE * WAIT_LEASES,
      maxInWork: config.DOCUMENTS_IN_WORK_PER_USER,
    };
    const consumers: AsyncDisposable[] = [];
    let sweep: NodeJS.Timeout | undefined;
    const recover = async () => {
      try {
        while ((await recoverLost(processing)) > 0);
        await sendAllHeld(processing);
      } catch (error) {
        log.warn({ err: error }, "documents of which nothing is heard could not be begun anew");
      }
    };
    return {
      routes: documentRoutes({
        ...processing,
        access,
        embedding: hasPeer("embedding") ? peer("embedding") : undefined,
        maxBytes: config.DOCUMENT_MAX_BYTES,
        quotaBytes: config.DOCUMENTS_QUOTA_BYTES,
        maxFolders: config.DOCUMENT_FOLDERS_PER_USER,
      }),
      async start() {
        consumers.push(
          await queue.consume(userDeletionQueue("documents"), userDeletions({ db, queue, files })),
        );
        consumers.push(
          await queue.consume(REMOVALS, (delivery) => takeRemoval({ files }, delivery)),
        );
        for (const [name, take] of Object.entries(processingConsumers(processing)))
          consumers.push(await queue.consume(name, take));
        sweep = setInterval(() => void recover(), SWEEP_MS).unref();
      },
      async close() {
        clearInterval(sweep);
        await Promise.all(consumers.map((consumer) => consumer[Symbol.asyncDispose]()));
      },
    };
  },
});
