import type { ChildPool } from "../child/child-pool.ts";
import { canRead } from "@parlance/to-markdown/formats/file-to-markdown.ts";
import type { ParseInput } from "../child/tasks.ts";
import { isPicture } from "../pages.ts";
import type { ReadFile } from "../read-file.ts";
import type { Backend } from "./backend.ts";

export interface LocalDeps {
  children: ChildPool;
  /** Returns the time limit for a file of this size, in ms. */
  timeLimit(bytes: number): number;
}

/**
 * Reads Office files, HTML, EPUB, RTF, CSV, e-mail, Markdown and text in an isolated process. The
 * pages of an image are empty: OCR reads them.
 */
export function localBackend({ children, timeLimit }: LocalDeps): Backend {
  return {
    key: "local",
    name: "Local readers of documents",
    pictures: true,
    opensProtected: true,
    reads: (mimeType) =>
      isPicture(mimeType) || canRead(mimeType, "") || mimeType === "image/svg+xml",
    async parse({ path, fileName, mimeType, size, password }, options, signal) {
      const run = { path, timeoutMs: timeLimit(size), signal };
      if (mimeType === "image/tiff")
        return emptyPages((await children.run("count-tiff-pages", {}, run)) as number);
      if (isPicture(mimeType)) return emptyPages(1);
      const input: ParseInput = { fileName, mimeType, options, password };
      return (await children.run("read", input, run)) as ReadFile; // what the task returns
    },
  };
}

function emptyPages(count: number): ReadFile {
  const pages = Math.max(1, count);
  return {
    markdown: "\f".repeat(pages - 1),
    pages,
    warnings: [],
    pageQuality: Array.from({ length: pages }, (_, at) => ({
      page: at + 1,
      characters: 0,
      images: 1,
    })),
  };
}
