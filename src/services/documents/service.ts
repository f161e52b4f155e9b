import { z } from "zod";
import { bytes } from "../../platform/config/schemas.ts";
import { defineService } from "../../platform/service.ts";
import { departureQueue } from "../users/contract-departure.ts";
import { createAccess } from "./access.ts";
import { documentsContract } from "./contract.ts";
import { userDepartures } from "./departure.ts";
import { documentRoutes } from "./routes.ts";

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
  }),
  migrations: new URL("./migrations/", import.meta.url),
  queue: true,
  siblings: ["users"],
  async create({ config, db, files, queue, sibling }) {
    const access = createAccess(sibling("users"));
    let departures: AsyncDisposable | undefined;
    return {
      routes: documentRoutes({
        db,
        files,
        access,
        maxBytes: config.DOCUMENT_MAX_BYTES,
        quotaBytes: config.DOCUMENTS_QUOTA_BYTES,
      }),
      async start() {
        departures = await queue.consume(departureQueue("documents"), userDepartures(db, files));
      },
      async close() {
        await departures?.[Symbol.asyncDispose]();
      },
    };
  },
});
