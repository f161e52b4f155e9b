import { withoutTrailingSlash } from "./addresses.ts";

/** Tasks by their paths in OpenAI's API. */
export const TASK_PATHS = [
  "/images/generations",
  "/images/edits",
  "/audio/speech",
  "/audio/transcriptions",
  "/audio/translations",
  "/moderations",
] as const;
export type TaskPath = (typeof TASK_PATHS)[number];

export interface TaskFile {
  field: string;
  name: string;
  type: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** A request in OpenAI's form. */
export type TaskContent =
  | { json: Record<string, unknown> }
  | { fields: Record<string, string>; files: readonly TaskFile[] };

/** A request in the form of another API, and how its answer is one in OpenAI's form. */
export interface TranslatedTask {
  url: string;
  body: object;
  /** Undefined for an answer without what was asked for. */
  toOpenAi(answer: unknown): TranslatedAnswer | undefined;
  /** Of an answer in events: those of OpenAI's form for each, and at the end. */
  stream?(): { next(event: unknown): object[]; end(): object[] };
}

export type TranslatedAnswer =
  | { json: object }
  | { bytes: Uint8Array<ArrayBuffer>; type: string };

/** Where a model of a provider does such tasks. */
export interface TaskEndpoint {
  /** By OpenAI's API; undefined for what the provider does not do by it. */
  url(path: TaskPath): string | undefined;
  headers: Record<string, string>;
  /** By an API of its own. @throws BadRequest `option_unsupported`. */
  translate?(path: TaskPath, content: TaskContent): Promise<TranslatedTask | undefined>;
}

export function openAiTasks(
  baseUrl: string,
  headers: Record<string, string>,
  { query = "", paths = TASK_PATHS }: { query?: string; paths?: readonly TaskPath[] } = {},
): TaskEndpoint {
  return {
    url: (path) =>
      paths.includes(path) ? `${withoutTrailingSlash(baseUrl)}${path}${query}` : undefined,
    headers,
  };
}
