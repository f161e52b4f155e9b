import type { ParseInput } from "../child/tasks.ts";
import type { ReadFile } from "../read-file.ts";
import type { Backend } from "./backend.ts";
import type { LocalDeps } from "./local.ts";

/** Our own PDF reader, in a process with limits of its own. */
export function pdfBackend({ children, timeLimit }: LocalDeps): Backend {
  return {
    key: "pdf_fallback",
    name: "Local reader of PDF",
    pictures: true,
    opensProtected: true,
    reads: (mimeType) => mimeType === "application/pdf",
    async parse({ path, fileName, mimeType, size, password }, options, signal) {
      const input: ParseInput = { fileName, mimeType, options, password };
      return (await children.run("read-pdf", input, {
        path,
        timeoutMs: timeLimit(size),
        signal,
      })) as ReadFile; // what the task gives
    },
  };
}
