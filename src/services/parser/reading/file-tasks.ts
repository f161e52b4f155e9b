import type { Task, TaskFunction } from "../../../platform/workers/task.ts";
import type * as tasks from "./read-tasks.ts";

/** What is done with a file in a process of its own. */

/** A task whose time depends on the size of the file. */
export type FileTask<Run extends TaskFunction> = Omit<Task<Run>, "timeoutMs">;

const ofFiles = {
  file: new URL("./read-tasks.ts", import.meta.url),
  what: "Reading this file",
  advice: "Split it into smaller ones.",
};

/** Detects the type of a file by its bytes. */
export const IDENTIFY: FileTask<typeof tasks.identify> = {
  ...ofFiles,
  exported: "identify",
};
export const READ_PDF: FileTask<typeof tasks.readPdf> = { ...ofFiles, exported: "readPdf" };
export const READ_OTHER: FileTask<typeof tasks.readOther> = {
  ...ofFiles,
  exported: "readOther",
};
export const COUNT_TIFF_PAGES: FileTask<typeof tasks.countTiffPages> = {
  ...ofFiles,
  exported: "countTiffPages",
};
export const RENDER_PAGE: FileTask<typeof tasks.renderPage> = {
  ...ofFiles,
  exported: "renderPage",
};
export const FIND_WORDS: FileTask<typeof tasks.findWords> = {
  ...ofFiles,
  exported: "findWords",
};
export const DRAW_PAGE: FileTask<typeof tasks.drawPage> = {
  ...ofFiles,
  exported: "drawPage",
};
