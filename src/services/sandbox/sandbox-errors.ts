import { ApiError, TooManyRequests, Unavailable } from "../../platform/http/errors.ts";
import { type Isolation, describeIsolation } from "../../platform/isolation/isolation.ts";
import { MAX_SESSIONS_PER_USER } from "./contract-limits.ts";

const RETRY_MS = 5_000;
const RETRY_UNISOLATED_MS = 600_000;

export function sandboxNotIsolated(isolation: Isolation): Unavailable {
  return new Unavailable(
    "sandbox_not_isolated",
    "Code cannot be run: this machine cannot isolate it. Ask an administrator to install " +
      "bubblewrap or to allow user namespaces, as docs/parser.md says. " +
      `What it can do is: ${isolation.kind}.`,
    RETRY_UNISOLATED_MS,
    { params: { kind: isolation.kind }, cause: new Error(describeIsolation(isolation)) },
  );
}

export function sandboxUnavailable(cause: unknown): Unavailable {
  return new Unavailable(
    "sandbox_unavailable",
    "The interpreter that runs code does not start. Ask an administrator to check " +
      "SANDBOX_PYTHON, SANDBOX_WHEELS and the log.",
    RETRY_MS,
    { cause },
  );
}

export function sandboxBusy(): Unavailable {
  return new Unavailable(
    "sandbox_busy",
    "Too much code waits for its turn. Try again in a moment.",
    RETRY_MS,
  );
}

export function tooManySessions(): TooManyRequests {
  return new TooManyRequests(
    "too_many_code_sessions",
    `You run code in ${MAX_SESSIONS_PER_USER} sessions at once, one for each conversation and ` +
      "language. Wait until one has ended.",
    RETRY_MS,
    { params: { max: MAX_SESSIONS_PER_USER } },
  );
}

export function filesTooLarge(name: string, maxBytes: number): ApiError {
  return new ApiError(
    422,
    "code_files_too_large",
    `The files of this conversation are larger than ${maxBytes} bytes together, from "${name}" ` +
      "on. Delete some, or begin another conversation.",
    { params: { name, maxBytes } },
  );
}
