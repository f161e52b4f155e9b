import type { FilePool } from "../reading/file-pool.ts";
import { READ_PDF } from "../reading/file-tasks.ts";
import type { Backend } from "./backend.ts";

/** Our own PDF reader, in a process with limits of its own. */
export function pdfBackend(pool: FilePool): Backend {
  return {
    key: "pdf_fallback",
    name: "Local reader of PDF",
    pictures: true,
    opensProtected: true,
    reads: (mimeType) => mimeType === "application/pdf",
    parse(file, options, signal) {
      const { fileName, mimeType, password } = file;
      return pool.run(READ_PDF, { fileName, mimeType, options, password }, file, signal);
    },
  };
}
