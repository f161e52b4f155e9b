/** The values in the sentence of an error, by which clients say it in another language. */
export type ErrorParams = Readonly<Record<string, string | number>>;

/**
 * Every failure that a caller may see: a status, a stable snake_case code, and one sentence that
 * says what to do. `respond.ts` alone turns it into a response. See docs/web-api.md, errors.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details?: unknown;
  readonly params?: ErrorParams | undefined;
  /** Headers of the answer, for example `Retry-After`. */
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    code: string,
    message: string,
    options: Options & { headers?: Record<string, string> } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = new.target.name;
    this.status = status;
    this.code = code;
    this.details = options.details;
    this.params = options.params;
    this.headers = options.headers ?? {};
  }
}

/** 500: a defect, or what nobody foresaw. Its cause is in the log. */
export class InternalError extends ApiError {
  constructor() {
    super(
      500,
      "internal_error",
      "Something went wrong on our side. Try again; if this repeats, give the request id to your " +
        "administrator.",
    );
  }
}

type Options = {
  details?: unknown;
  params?: ErrorParams | undefined;
  cause?: unknown;
};

export class BadRequest extends ApiError {
  constructor(code: string, message: string, options?: Options) {
    super(400, code, message, options);
  }
}

/** 401: no credential, or an invalid one. */
export class Unauthorized extends ApiError {
  constructor(code: string, message: string, options?: Options) {
    super(401, code, message, { ...options, headers: { "www-authenticate": "Bearer" } });
  }
}

/** 403: the caller is known, but not allowed. */
export class Forbidden extends ApiError {
  constructor(code: string, message: string, options?: Options) {
    super(403, code, message, options);
  }
}

/** 404: absent, or not visible to the caller. Both look the same on purpose. */
export class NotFound extends ApiError {
  constructor(code: string, message: string, options?: Options) {
    super(404, code, message, options);
  }
}

/** 408: the request itself arrived too slowly. The connection cannot be used again. */
export class RequestTimeout extends ApiError {
  constructor(code: string, message: string) {
    super(408, code, message, { headers: { connection: "close" } });
  }
}

export class Conflict extends ApiError {
  constructor(code: string, message: string, options?: Options) {
    super(409, code, message, options);
  }
}

export class TooLarge extends ApiError {
  constructor(code: string, message: string, options?: Options) {
    super(413, code, message, options);
  }
}

export class UnsupportedType extends ApiError {
  constructor(code: string, message: string, options?: Options) {
    super(415, code, message, options);
  }
}

/** 429, with `Retry-After` in whole seconds, at least 1, which are `seconds` in `params` too. */
export class TooManyRequests extends ApiError {
  constructor(code: string, message: string, retryAfterMs: number, options?: Options) {
    const params = { seconds: wholeSeconds(retryAfterMs), ...options?.params };
    const headers = retryAfter(retryAfterMs);
    super(429, code, message, { ...options, params, headers });
  }
}

/** 502: an upstream failed. Its raw body is never part of the message. */
export class BadGateway extends ApiError {
  constructor(code: string, message: string, options?: Options) {
    super(502, code, message, options);
  }
}

/** 503: a required part is down. `Retry-After` says when to try again. */
export class Unavailable extends ApiError {
  constructor(code: string, message: string, retryAfterMs = 5_000, options?: Options) {
    super(503, code, message, { ...options, headers: retryAfter(retryAfterMs) });
  }
}

/** 503: the process is shutting down. */
export function shuttingDown(details?: unknown): Unavailable {
  return new Unavailable(
    "shutting_down",
    "This server is shutting down. Try again in a moment.",
    5_000,
    { details },
  );
}

/** 504: an upstream did not answer in time. */
export class GatewayTimeout extends ApiError {
  constructor(code: string, message: string, options?: Options) {
    super(504, code, message, options);
  }
}

function retryAfter(ms: number): Record<string, string> {
  return { "retry-after": String(wholeSeconds(ms)) };
}

function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}
