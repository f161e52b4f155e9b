import { notSet } from "../absence.ts";
import { openAsBlob } from "node:fs";
import type { BackendKey } from "../contract.ts";
import { BACKEND_PATH, BackendAnswer } from "../contract-backend.ts";
import type { ParseOptions } from "../contract-jobs.ts";
import { countCharacters } from "@parlance/to-markdown/count-characters.ts";
import type { ParsedFile } from "@parlance/to-markdown/parsed-file.ts";
import { encodeTables, type ReadFile } from "../read-file.ts";
import type { Backend, SourceFile } from "./backend.ts";
import { ask, read, refusal, type Remote } from "./remote.ts";

export interface HttpParserSettings {
  key: BackendKey;
  /** The name in sentences. */
  name: string;
  url: string | undefined;
  /** The variable that holds the address. */
  variable: string;
  /** The shared secret, for a backend that is one of our services and requires it. */
  secret?: string | undefined;
  timeoutMs: number;
}

/**
 * A parser with the PDF backend's protocol (`contract-backend.ts`): `POST /api/v1/pdf/parse` takes
 * the file and returns pages and text.
 */
export function httpParser(
  fetch: typeof globalThis.fetch,
  settings: HttpParserSettings,
): Backend {
  const { key, name, url, variable } = settings;
  return {
    key,
    name,
    ...(!url && { absent: notSet(variable) }),
    reads: (mimeType) => mimeType === "application/pdf",
    parse: (file, options, signal) =>
      send({ fetch, name, signal }, file, options, settings),
    async check(signal) {
      const response = await ask({ fetch, name, signal }, `${url}/healthz`, {}, 2_000);
      if (!response.ok) throw await refusal({ fetch, name, signal }, response);
      await response.body?.cancel();
    },
  };
}

async function send(
  remote: Remote,
  file: SourceFile,
  options: ParseOptions,
  { url, secret, timeoutMs }: HttpParserSettings,
): Promise<ReadFile> {
  const response = await ask(
    remote,
    `${url}${BACKEND_PATH}?${queryOf(options)}`,
    {
      method: "POST",
      headers: {
        "content-type": "application/octet-stream",
        "x-original-filename": encodeURIComponent(file.fileName),
        ...(secret && { "x-platform-service-secret": secret }),
      },
      body: await openAsBlob(file.path),
    },
    timeoutMs,
  );
  if (!response.ok) throw await refusal(remote, response);
  return encodeTables(toParsedFile(await read(remote, response, BackendAnswer)));
}

function queryOf({
  extractTables,
  extractImages,
  ocrEnabled,
  ocrMode,
}: ParseOptions): URLSearchParams {
  return new URLSearchParams({
    ...(extractTables !== undefined && { extract_tables: String(extractTables) }),
    ...(extractImages !== undefined && { extract_images: String(extractImages) }),
    ...(ocrEnabled !== undefined && { ocr_enabled: String(ocrEnabled) }),
    ...(ocrMode && { ocr_mode: ocrMode }),
  });
}

function toParsedFile({
  images,
  pageQuality,
  markdown,
  pages: _,
  layout,
  title,
  author,
  language,
  tables,
  furniture,
  warnings,
}: BackendAnswer): ParsedFile {
  // what the backend declares must agree with what it returns
  const texts = markdown.split("\f");
  return {
    markdown,
    pages: texts.length,
    ...(layout && { layout }),
    warnings,
    ...(title && { title }),
    ...(author && { author }),
    ...(language && { language }),
    pageQuality: texts.map((text, index) => {
      const { images = 0, unread = 0 } = pageQuality?.[index] ?? {};
      const all = countCharacters(text);
      return {
        page: index + 1,
        characters: Math.max(all - unread, 0),
        // a backend that does not report images may have missed some
        images: pageQuality ? images : 1,
        ...(unread > 0 && { unread }),
      };
    }),
    ...(furniture && { furniture }),
    ...(tables && { tables }),
    ...(images && {
      images: images.map(({ data, ...image }) => ({
        ...image,
        bytes: new Uint8Array(Buffer.from(data, "base64")),
      })),
    }),
  };
}
