import { canRead } from "@parlance/to-markdown/formats/file-to-markdown.ts";
import { isPicture } from "../pages.ts";
import type { ReadFile } from "../read-file.ts";
import type { FilePool } from "../reading/file-pool.ts";
import { COUNT_TIFF_PAGES, READ_OTHER } from "../reading/file-tasks.ts";
import type { Backend } from "./backend.ts";

/**
 * Reads Office files, HTML, EPUB, RTF, CSV, e-mail, Markdown and text in an isolated process. The
 * pages of an image are empty: OCR reads them.
 */
export function localBackend(pool: FilePool): Backend {
  return {
    key: "local",
    name: "Local readers of documents",
    pictures: true,
    opensProtected: true,
    reads: (mimeType) =>
      isPicture(mimeType) || canRead(mimeType, "") || mimeType === "image/svg+xml",
    async parse(file, options, signal) {
      const { fileName, mimeType, password } = file;
      if (mimeType === "image/tiff")
        return emptyPages(await pool.run(COUNT_TIFF_PAGES, {}, file, signal));
      if (isPicture(mimeType)) return emptyPages(1);
      const input = { fileName, mimeType, options, password };
      return pool.run(READ_OTHER, input, file, signal);
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
