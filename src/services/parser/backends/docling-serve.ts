import { notSet } from "../absence.ts";
import { openAsBlob } from "node:fs";
import { z } from "zod";
import { ApiError, BadGateway, GatewayTimeout } from "../../../platform/http/errors.ts";
import type { ParseOptions } from "../contract-jobs.ts";
import { countCharacters } from "@parlance/to-markdown/count-characters.ts";
import type { ReadFile } from "../read-file.ts";
import type { Backend, SourceFile } from "./backend.ts";
import { ask, pause, read, refusal, type Remote } from "./remote.ts";

export interface DoclingSettings {
  url: string | undefined;
  key: string | undefined;
  timeoutMs: number;
}

const NAME = "Layout parser one";
/** Separates pages in the requested Markdown. No document contains it. */
const PAGE_BREAK = "<!-- parlance-page-break -->";
/** How long the server holds a request while nothing has changed. */
const WAIT_SECONDS = 5;

const READS =
  /^(?:application\/pdf|text\/html|image\/(?:png|jpeg|tiff|bmp|webp)|application\/vnd\.openxmlformats-officedocument\.(?:wordprocessingml\.document|presentationml\.presentation|spreadsheetml\.sheet))$/;

const Task = z.looseObject({ task_id: z.string(), task_status: z.string() });
const Result = z.looseObject({
  document: z.looseObject({ md_content: z.string().nullish() }),
  status: z.string(),
  errors: z.array(z.looseObject({ error_message: z.string().optional() })).default([]),
});

/** docling-serve (API v1): queues the file and polls its task until it is done. */
export function doclingServe(
  fetch: typeof globalThis.fetch,
  settings: DoclingSettings,
): Backend {
  return {
    key: "optional_parser_one",
    name: "Layout parser one (docling-serve)",
    ...(!settings.url && { absent: notSet("OPTIONAL_PARSER_ONE_URL") }),
    reads: (mimeType) => READS.test(mimeType),
    parse: (file, options, signal) =>
      convert({ fetch, name: NAME, signal }, file, options, settings),
    async check(signal) {
      const response = await ask(
        { fetch, name: NAME, signal },
        `${settings.url}/health`,
        {},
        2_000,
      );
      if (!response.ok) throw await refusal({ fetch, name: NAME, signal }, response);
      await response.body?.cancel();
    },
  };
}

async function convert(
  remote: Remote,
  file: SourceFile,
  options: ParseOptions,
  { url, key, timeoutMs }: DoclingSettings,
): Promise<ReadFile> {
  const headers = key ? { "x-api-key": key } : undefined;
  const deadline = performance.now() + timeoutMs;
  const got = async <Schema extends z.ZodType>(response: Response, schema: Schema) => {
    if (!response.ok) throw await refusal(remote, response);
    return read(remote, response, schema);
  };
  const form = await formOf(file, options);
  const upload = {
    method: "POST",
    headers: { ...headers, "content-type": form.type },
    body: form.body,
    duplex: "half" as const,
  };
  let task = await got(await ask(remote, `${url}/v1/convert/file/async`, upload), Task);
  const id = encodeURIComponent(task.task_id);
  while (task.task_status === "pending" || task.task_status === "started") {
    if (performance.now() > deadline)
      throw new GatewayTimeout("parser_timeout", `${NAME} takes too long.`);
    await pause(100, remote.signal);
    task = await got(
      await ask(remote, `${url}/v1/status/poll/${id}?wait=${WAIT_SECONDS}`, {
        ...(headers && { headers }),
      }),
      Task,
    );
  }
  const result = await got(
    await ask(remote, `${url}/v1/result/${id}`, { ...(headers && { headers }) }),
    Result,
  );
  return readResult(result);
}

async function formOf(
  { path, fileName, mimeType }: SourceFile,
  options: ParseOptions,
): Promise<{ type: string; body: ReadableStream<Uint8Array> }> {
  const { ocrEnabled = false, ocrMode = "auto" } = options;
  const withOcr = (ocrEnabled || mimeType.startsWith("image/")) && ocrMode !== "never";
  const form = new FormData();
  form.append("files", await openAsBlob(path, { type: mimeType }), fileName);
  const fields = {
    to_formats: "md",
    do_ocr: String(withOcr),
    force_ocr: String(withOcr && ocrMode === "always"),
    image_export_mode: "placeholder",
    md_page_break_placeholder: PAGE_BREAK,
    abort_on_error: "false",
    target_type: "inbody",
  };
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  // encoded here, because the HTTP client does not know this platform's forms
  const { headers, body } = new Response(form);
  if (!body) throw new Error("a form has a body");
  return { type: headers.get("content-type") ?? "", body };
}

function readResult({ document, status, errors }: z.output<typeof Result>): ReadFile {
  if (status === "failure" || status === "skipped")
    throw new ApiError(422, "file_refused", `${NAME} cannot read this file.`);
  if (typeof document.md_content !== "string")
    throw new BadGateway("parser_answer_invalid", `${NAME} returned no markdown.`);
  const pages = document.md_content
    .replaceAll("\f", "\n")
    .split(PAGE_BREAK)
    .map((text) => text.trim());
  return {
    markdown: pages
      .map((text) =>
        text
          .replaceAll("<!-- image -->", "")
          .replace(/\n{3,}/g, "\n\n")
          .trim(),
      )
      .join("\f"),
    pages: pages.length,
    warnings:
      status === "partial_success"
        ? [`${NAME} could not read everything (${errors.length} errors).`]
        : [],
    pageQuality: pages.map((text, index) => ({
      page: index + 1,
      characters: countCharacters(text.replaceAll("<!-- image -->", "")),
      images: text.split("<!-- image -->").length - 1,
    })),
  };
}
