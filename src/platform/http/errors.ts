/**
 * Every failure a caller may see: status, a stable snake_case code, and one sentence that a person
 * can act on. Turned into a response in one place (`respond.ts`). Source: design "Everywhere",
 * error body.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details?: unknown;
  /** Sent as headers of the answer, for example `Retry-After`. */
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    code: string,
    message: string,
    options: { details?: unknown; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = new.target.name;
    this.status = status;
    this.code = code;
    this.details = options.details;
    this.headers = options.headers ?? {};
  }
}

type Options = { details?: unknown; cause?: unknown };

export class BadRequest extends ApiError {
  constructor(code: string, message: string, options?: Options) {
    super(400, code, message, options);
  }
}

/** 401: no credential, or one that does not hold. */
export class Unauthorized extends ApiError {
  constructor(code: string, message: string, options?: Options) {
    super(401, code, message, { ...options, headers: { "www-authenticate": "Bearer" } });
  }
}

/** 403: known, but not allowed. */
export class Forbidden extends ApiError {
  constructor(code: string, message: string, options?: Options) {
    super(403, code, message, options);
  }
}

/** 404: absent, or not the caller's to see; the two look the same on purpose. */
export class NotFound extends ApiError {
  constructor(code: string, message: string, options?: Options) {
    super(404, code, message, options);
  }
}

/** 408: the request itself took too long to come. The connection is of no more use. */
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

/** 429, with `Retry-After` in whole seconds, at least 1. */
export class TooManyRequests extends ApiError {
  constructor(code: string, message: string, retryAfterMs: number, options?: Options) {
    super(429, code, message, { ...options, headers: retryAfter(retryAfterMs) });
  }
}

/** 502: an upstream failed. Its raw body never goes into the message. */
export class BadGateway extends ApiError {
  constructor(code: string, message: string, options?: Options) {
    super(502, code, message, options);
  }
}

/** 503: a needed part is down; `Retry-After` says when to come back. */
export class Unavailable extends ApiError {
  constructor(code: string, message: string, retryAfterMs = 5_000, options?: Options) {
    super(503, code, message, { ...options, headers: retryAfter(retryAfterMs) });
  }
}

/** 503: the process ends. */
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
  return { "retry-after": String(Math.max(1, Math.ceil(ms / 1000))) };
}
