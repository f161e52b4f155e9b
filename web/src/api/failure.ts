import { isRecord } from "./is-record.ts";

/** Codes of failures whose sentence is this app's: what no server states, or not for its users. */
export type LocalCode =
  | "offline"
  | "timeout"
  | "bad_answer"
  | "connection_cut"
  | "page_failed"
  | "changed_meanwhile"
  | "address_wrong";

interface FailureDetails {
  status?: number;
  requestId?: string | undefined;
  params?: Record<string, unknown> | undefined;
  details?: unknown;
  retryAfterMs?: number | undefined;
  cause?: unknown;
}

/**
 * The reason why a request failed. `code` is stable, and the page translates it; `message` is the
 * server's own English sentence.
 */
export class Failure extends Error {
  readonly code: string;
  /** 0: no server answered. */
  readonly status: number;
  readonly requestId: string | undefined;
  readonly params: Record<string, unknown>;
  readonly details: unknown;
  readonly retryAfterMs: number | undefined;

  constructor(code: string, message: string, options: FailureDetails = {}) {
    super(message, { cause: options.cause });
    this.name = "Failure";
    this.code = code;
    this.status = options.status ?? 0;
    this.requestId = options.requestId;
    this.params = options.params ?? {};
    this.details = options.details;
    this.retryAfterMs = options.retryAfterMs;
  }

  /** Whether the same request may succeed later. */
  get isTemporary(): boolean {
    if (this.code === "page_failed" || this.code === "changed_meanwhile") return false;
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** A failure in the last event of a stream, or stored with what failed. */
export interface ReportedError {
  code: string;
  error: string;
  params?: Record<string, string | number> | undefined;
}

export function toReportedFailure({ code, error, params }: ReportedError): Failure {
  return new Failure(code, error, { params });
}

/** The same with the sentence in `message`, as background work stores it. */
export type StoredFailure = Omit<ReportedError, "error"> & { message: string };

export function toStoredFailure({ code, message, params }: StoredFailure): Failure {
  return new Failure(code, message, { params });
}

/** The code and the values of a sentence that has a field of its own. */
export type SentenceCode = Partial<Omit<StoredFailure, "message">>;

/** Undefined without a sentence. */
export function toSentence(
  sentence: string | undefined,
  { code = "", params }: SentenceCode,
): Failure | undefined {
  return sentence === undefined ? undefined : new Failure(code, sentence, { params });
}

/** Reads the failure from a response. */
export async function readFailure(response: Response): Promise<Failure> {
  const body = await readJsonObject(response);
  const text = (name: string) => (typeof body[name] === "string" ? body[name] : undefined);
  const seconds = Number(response.headers.get("retry-after"));
  const params = isRecord(body["params"]) ? body["params"] : undefined;
  return new Failure(
    isOfAddress(params) ? "address_wrong" : (text("code") ?? `http_${response.status}`),
    text("error") ?? `The server answered ${response.status}.`,
    {
      status: response.status,
      requestId: text("requestId") ?? response.headers.get("x-request-id") ?? undefined,
      params,
      details: body["details"],
      retryAfterMs: seconds > 0 ? seconds * 1000 : undefined,
    },
  );
}

/** Whether an id in the address of the page is none, as in a link that was cut off. */
function isOfAddress(params: Record<string, unknown> | undefined): boolean {
  return /^(?:params\.|query\.\w+Id$)/.test(String(params?.["path"]));
}

/** Converts any thrown value to a failure. */
export function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new Failure("page_failed", message, { cause: error });
}

/** Converts what `fetch`, or reading its answer, threw. */
export function toNetworkFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const name = error instanceof Error ? error.name : "";
  if (name === "TimeoutError") {
    return new Failure("timeout", "The server took too long to answer.", { cause: error });
  }
  if (name === "AbortError") {
    return new Failure("connection_cut", "The request was cancelled.", { cause: error });
  }
  if (error instanceof TypeError) {
    return new Failure("offline", "The server cannot be reached.", { cause: error });
  }
  return new Failure("bad_answer", "The server sent an answer that is not understood.", {
    cause: error,
  });
}

async function readJsonObject(response: Response): Promise<Record<string, unknown>> {
  try {
    const body: unknown = await response.json();
    return isRecord(body) ? body : {};
  } catch {
    return {}; // a proxy's page, not ours
  }
}
