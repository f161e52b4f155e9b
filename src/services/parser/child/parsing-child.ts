import { readFile } from "node:fs/promises";
import { UnsupportedType } from "../../../platform/http/errors.ts";
import type { ParsedFile } from "../parsed-file.ts";
import { serveTasks } from "./serve-tasks.ts";
import type { FileInput, ParseInput } from "./tasks.ts";

serveTasks({
  /** What a file is, by its bytes. */
  async identify({ fileName }: FileInput): Promise<string> {
    return /\.(md|markdown)$/i.test(fileName) ? "text/markdown" : "text/plain";
  },
  async read({ path, mimeType }: ParseInput): Promise<ParsedFile> {
    if (!mimeType.startsWith("text/")) throw new UnsupportedType("file_type_unsupported", "This kind of file cannot be read.");
    const markdown = await readFile(path, "utf8");
    const characters = markdown.replace(/\s/g, "").length;
    return { markdown, pages: 1, warnings: [], pageQuality: [{ page: 1, characters, images: 0 }] };
  },
});
