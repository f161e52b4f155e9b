import type { ChildPool } from "../child/child-pool.ts";
import { canRead } from "@parlance/to-markdown/formats/file-to-markdown.ts";
import type { ParseInput } from "../child/tasks.ts";
import { isPicture } from "../pages.ts";
import type { ParsedFile } from "@parlance/to-markdown/parsed-file.ts";
import type { Backend } from "./backend.ts";

export interface LocalDeps {
  children: ChildPool;
  /** How long a file of so many bytes may take. */
  timeLimit(bytes: number): number;
}

/**
 * Office, HTML, EPUB, RTF, CSV, e-mail, Markdown and text, read in a process of its own limits. A
 * picture has no text but what OCR finds.
 */
export function localBackend({ children, timeLimit }: LocalDeps): Backend {
  return {
    key: "local",
    name: "Local readers of documents",
    pictures: true,
    reads: (mimeType) =>
      isPicture(mimeType) || canRead(mimeType, "") || mimeType === "image/svg+xml",
    async parse({ path, fileName, mimeType, size }, options, signal) {
      if (isPicture(mimeType))
        return {
          markdown: "",
          pages: 1,
          warnings: [],
          pageQuality: [{ page: 1, characters: 0, images: 1 }],
        };
      const input: ParseInput = { fileName, mimeType, options };
      return (await children.run("read", input, {
        path,
        timeoutMs: timeLimit(size),
        signal,
      })) as ParsedFile; // what the task gives
    },
  };
}
