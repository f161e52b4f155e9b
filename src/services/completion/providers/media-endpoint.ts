import { withoutTrailingSlash } from "./addresses.ts";

/** What models do beside chat, by its path in the API of OpenAI. */
export const MEDIA_PATHS = [
  "/images/generations",
  "/images/edits",
  "/audio/speech",
  "/audio/transcriptions",
  "/audio/translations",
  "/moderations",
  "/completions",
] as const;
export type MediaPath = (typeof MEDIA_PATHS)[number];

export interface MediaFile {
  field: string;
  name: string;
  type: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** A request in OpenAI's form. */
export type MediaContent =
  | { json: Record<string, unknown> }
  | { fields: Record<string, string>; files: readonly MediaFile[] };

/** A request in the form of another API, and how its answer is one in OpenAI's form. */
export interface TranslatedRequest {
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

/** Where a model of a provider is asked for it. */
export interface MediaEndpoint {
  /** By OpenAI's API; undefined for what the provider does not do by it. */
  url(path: MediaPath): string | undefined;
  headers: Record<string, string>;
  /** By an API of its own. @throws BadRequest `option_unsupported`. */
  translate?(
    path: MediaPath,
    content: MediaContent,
  ): Promise<TranslatedRequest | undefined>;
}

export function openAiMedia(
  baseUrl: string,
  headers: Record<string, string>,
  {
    query = "",
    paths = MEDIA_PATHS,
  }: { query?: string; paths?: readonly MediaPath[] } = {},
): MediaEndpoint {
  return {
    url: (path) =>
      paths.includes(path) ? `${withoutTrailingSlash(baseUrl)}${path}${query}` : undefined,
    headers,
  };
}
