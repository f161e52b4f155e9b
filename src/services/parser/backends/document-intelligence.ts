import { notSet } from "../absence.ts";
import { openAsBlob } from "node:fs";
import { z } from "zod";
import { ApiError, BadGateway, GatewayTimeout } from "../../../platform/http/errors.ts";
import type { Backend, SourceFile } from "./backend.ts";
import { encodeTables, type ReadFile } from "../read-file.ts";
import { AnalyzeResult, readAnalysis } from "./read-analysis.ts";
import { ask, pause, read, refusal, type Remote, retryAfter } from "./remote.ts";

export interface DocumentIntelligenceSettings {
  endpoint: string | undefined;
  key: string | undefined;
  /** Such as `prebuilt-layout`. */
  model: string;
  apiVersion: string;
  timeoutMs: number;
}

const NAME = "The cloud document service";
const POLL_MS = 1_000;
/** The minimum interval, even if the service asks for a shorter one. */
const MIN_WAIT_MS = 50;
const MAX_REFUSALS = 4;

/** The media types that the service accepts. */
const READS =
  /^(?:application\/(?:pdf|rtf|msword|vnd\.ms-excel|vnd\.openxmlformats-officedocument\.(?:wordprocessingml\.document|spreadsheetml\.sheet|presentationml\.presentation))|text\/(?:plain|html|markdown|rtf)|image\/(?:jpeg|png|bmp|tiff|heif))$/;

const Operation = z.object({
  status: z.enum(["notStarted", "running", "failed", "succeeded", "canceled", "skipped"]),
  error: z
    .looseObject({ code: z.string().optional(), message: z.string().optional() })
    .optional(),
  analyzeResult: AnalyzeResult.optional(),
});
type Operation = z.output<typeof Operation>;

/**
 * Azure AI Document Intelligence (REST API 2024-11-30, "Document Models – Analyze Document" and
 * "Get Analyze Result"): sends the file, polls the operation until it is done, and deletes the
 * result there.
 */
export function documentIntelligence(
  fetch: typeof globalThis.fetch,
  settings: DocumentIntelligenceSettings,
): Backend {
  const { endpoint, key } = settings;
  const absent =
    endpoint && key
      ? undefined
      : notSet("DOCUMENT_INTELLIGENCE_ENDPOINT, DOCUMENT_INTELLIGENCE_KEY");
  return {
    key: "document_intelligence",
    name: "Cloud document intelligence",
    ...(absent !== undefined && { absent }),
    reads: (mimeType) => READS.test(mimeType),
    parse: (file, _options, signal) =>
      analyze({ fetch, name: NAME, signal }, file, settings),
    async check(signal) {
      const response = await ask(
        { fetch, name: NAME, signal },
        `${endpoint}/documentintelligence/info?api-version=${settings.apiVersion}`,
        { headers: keyHeader(key) },
        2_000,
      );
      if (!response.ok) throw await refusal({ fetch, name: NAME, signal }, response);
      await response.body?.cancel();
    },
  };
}

async function analyze(
  remote: Remote,
  file: SourceFile,
  settings: DocumentIntelligenceSettings,
): Promise<ReadFile> {
  const deadline = performance.now() + settings.timeoutMs;
  const { location, waitMs } = await submit(remote, file, settings, deadline);
  try {
    const operation = await settled(remote, location, settings, waitMs, deadline);
    if (operation.status !== "succeeded" || !operation.analyzeResult)
      throw failureOf(operation);
    return encodeTables(readAnalysis(operation.analyzeResult));
  } finally {
    // the service would keep it for a day; failing to delete it must not lose the result
    const { signal: _, ...rest } = remote;
    void ask({ ...rest, signal: AbortSignal.timeout(10_000) }, location, {
      method: "DELETE",
      headers: keyHeader(settings.key),
    })
      .then((response) => response.body?.cancel())
      // the service deletes it after a day
      .catch(() => {});
  }
}

async function submit(
  remote: Remote,
  file: SourceFile,
  settings: DocumentIntelligenceSettings,
  deadline: number,
) {
  const { endpoint = "", key, model, apiVersion } = settings;
  const query = new URLSearchParams({
    "api-version": apiVersion,
    outputContentFormat: "markdown",
    // offsets in UTF-16 code units, as JavaScript counts
    stringIndexType: "utf16CodeUnit",
  });
  const url = `${endpoint}/documentintelligence/documentModels/${encodeURIComponent(model)}:analyze?${query}`;
  for (let refusals = 0; ; refusals += 1) {
    const body = await openAsBlob(file.path);
    const response = await ask(remote, url, {
      method: "POST",
      headers: { ...keyHeader(key), "content-type": contentType(file.mimeType) },
      body,
    });
    if (response.status === 202) {
      await response.body?.cancel();
      return {
        location: locationOf(response, endpoint),
        waitMs: retryAfter(response, POLL_MS),
      };
    }
    const waitMs = retryAfter(response, POLL_MS * 2 ** refusals);
    const failure = await refusal(remote, response);
    if (
      failure.status !== 503 ||
      refusals >= MAX_REFUSALS ||
      performance.now() + waitMs > deadline
    )
      throw failure;
    await pause(waitMs, remote.signal);
  }
}

async function settled(
  remote: Remote,
  location: string,
  { key }: DocumentIntelligenceSettings,
  firstWait: number,
  deadline: number,
): Promise<Operation> {
  let waitMs = firstWait;
  let refusals = 0;
  while (true) {
    if (performance.now() + waitMs > deadline)
      throw new GatewayTimeout("parser_timeout", `${NAME} takes too long.`);
    await pause(Math.max(waitMs, MIN_WAIT_MS), remote.signal);
    const response = await ask(remote, location, { headers: keyHeader(key) });
    waitMs = retryAfter(response, POLL_MS);
    if (!response.ok) {
      const failure = await refusal(remote, response);
      if (failure.status < 500 || (refusals += 1) > MAX_REFUSALS) throw failure;
      continue;
    }
    const operation = await read(remote, response, Operation);
    if (operation.status !== "notStarted" && operation.status !== "running")
      return operation;
  }
}

/** Returns the address of the operation, which must be on the host to which the key belongs. */
function locationOf(response: Response, endpoint: string): string {
  const location = response.headers.get("operation-location") ?? "";
  const url = URL.canParse(location) ? new URL(location) : undefined;
  if (!url || url.origin !== new URL(endpoint).origin)
    throw new BadGateway(
      "parser_answer_invalid",
      `${NAME} did not say where its result will be.`,
    );
  return url.href;
}

function failureOf({ status, error }: Operation): ApiError {
  const ofTheFile =
    error?.code === undefined || /Invalid|Unsupported|Password|TooLarge/i.test(error.code);
  if (status === "failed" && ofTheFile)
    return new ApiError(422, "file_refused", `${NAME} cannot read this file.`);
  return new BadGateway("parser_failed", `${NAME} failed (${status}).`);
}

function keyHeader(key: string | undefined): Record<string, string> {
  return { "ocp-apim-subscription-key": key ?? "" };
}

/** The service detects types that it does not know by name from the bytes. */
function contentType(mimeType: string): string {
  return /^(?:application\/pdf|image\/|text\/html|application\/vnd\.openxmlformats)/.test(
    mimeType,
  )
    ? mimeType
    : "application/octet-stream";
}
