interface Details {
  status?: number;
  details?: unknown;
  params?: Record<string, unknown>;
  requestId?: string | undefined;
  retryAfterMs?: number | undefined;
  cause?: unknown;
}

/** The reason why a call failed: a stable `code`, and a sentence that says what to do. */
export class ParlanceError extends Error {
  readonly code: string;
  /** 0: no server answered. */
  readonly status: number;
  readonly details: unknown;
  /** The values in the sentence. */
  readonly params: Record<string, unknown>;
  /** For the administrator, who finds the request in the log by it. */
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(code: string, message: string, more: Details = {}) {
    super(message, { cause: more.cause });
    this.name = new.target.name;
    this.code = code;
    this.status = more.status ?? 0;
    this.details = more.details;
    this.params = more.params ?? {};
    this.requestId = more.requestId;
    this.retryAfterMs = more.retryAfterMs;
  }
}

/** No answer came, or it broke off. */
export class ConnectionError extends ParlanceError {
  constructor(cause: unknown) {
    super("connection_failed", "The server cannot be reached, or the connection broke.", {
      cause,
    });
  }
}

/** An attempt took longer than `timeoutMs`, or a stream was silent for too long. */
export class TimeoutError extends ParlanceError {
  constructor(ms: number) {
    super("timeout", `The server did not answer within ${ms} ms.`);
  }
}

const MAX_ERROR_CHARACTERS = 1_000_000;

/** Reads the failure from an answer, in the form of Parlance, of OpenAI or of Anthropic. */
export async function readError(response: Response): Promise<ParlanceError> {
  const body = await readObject(response);
  const inner = isRecord(body["error"]) ? body["error"] : undefined;
  const text = (...values: unknown[]) =>
    values.find((one): one is string => typeof one === "string" && one !== "");
  return new ParlanceError(
    text(body["code"], inner?.["code"], inner?.["type"]) ?? `http_${response.status}`,
    text(body["error"], inner?.["message"], body["detail"]) ??
      `The server answered ${response.status}.`,
    {
      status: response.status,
      details: body["details"],
      ...(isRecord(body["params"]) && { params: body["params"] }),
      requestId:
        text(body["requestId"]) ?? response.headers.get("x-request-id") ?? undefined,
      retryAfterMs: retryAfter(response.headers.get("retry-after")),
    },
  );
}

/** Seconds or a date. Source: RFC 9110, section 10.2.3. */
function retryAfter(header: string | null): number | undefined {
  if (!header) return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

async function readObject(response: Response): Promise<Record<string, unknown>> {
  try {
    const text = await response.text();
    const body: unknown = JSON.parse(text.slice(0, MAX_ERROR_CHARACTERS));
    return isRecord(body) ? body : {};
  } catch {
    return {}; // a proxy's page, or cut off: the status says the rest
  }
}
