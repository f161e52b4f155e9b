import { join } from "node:path";
import { defineService } from "../../../platform/service.ts";
import { pdfBackend } from "../backends/pdf.ts";
import { pdfBackendContract } from "../contract-backend.ts";
import { toDetail } from "../../../platform/isolation/isolation.ts";
import { parsingConfig, openParsingProcesses } from "../parsing-processes.ts";
import { openLocalFiles } from "../local-files.ts";
import { pdfBackendRoutes } from "./routes.ts";

/** The local PDF backend (`pdf_fallback`) as a service. */
export default defineService({
  name: "pdf-backend",
  port: 8001,
  contract: pdfBackendContract,
  config: parsingConfig,
  async create({ config, log, dataDir }) {
    const local = await openLocalFiles(join(dataDir, "parsing"));
    const limits = await openParsingProcesses(config, { folder: local.folder, log });
    return {
      routes: pdfBackendRoutes({ local, limits, backend: pdfBackend(limits.pool) }),
      checks: { parser_isolation: async () => toDetail(limits.isolation) },
      close: async () => limits.pool[Symbol.asyncDispose](),
    };
  },
});
