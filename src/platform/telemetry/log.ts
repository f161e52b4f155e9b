import {
  type DestinationStream,
  pino,
  type Logger as PinoLogger,
  stdSerializers,
} from "pino";
import { writesForPeople } from "./terminal-log.ts";

export type Logger = PinoLogger;

const SECRET_FIELD =
  /authorization|cookie|password|secret|token$|api[-_]?key|^key$|credential/i;
const MAX_DEPTH = 8;

interface LogOptions {
  level: string;
  name: string;
  /** Receives each line. Default: standard error. */
  write?: (line: string) => void;
}

/** Logs lines to standard error and masks fields that hold secrets. */
export function createLog({ level, name, write }: LogOptions): Logger {
  return pino(
    {
      level,
      name,
      base: { name },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => maskSecrets(fields, 0) as Record<string, unknown>,
      },
      serializers: { err: describeError },
    },
    write ? { write } : standardError(),
  );
}

/** JSON lines; plain text where a person reads them at a terminal. */
function standardError(): DestinationStream {
  const stream = pino.destination({ dest: 2, sync: true });
  if (!process.stderr.isTTY) return stream;
  return { write: writesForPeople((text) => stream.write(text)) };
}

export function silentLog(): Logger {
  return pino({ level: "silent" });
}

/** Replaces the values of fields with the name of a secret by "•••", at any depth. */
function maskSecrets(value: unknown, depth: number): unknown {
  if (
    typeof value !== "object" ||
    value === null ||
    value instanceof Error ||
    value instanceof Date
  )
    return value;
  if (depth > MAX_DEPTH) return "…";
  if (Array.isArray(value)) return value.map((item) => maskSecrets(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      SECRET_FIELD.test(name) ? "•••" : maskSecrets(inner, depth + 1),
    ]),
  );
}

/**
 * Logs type, message, code, stack and cause, and no other fields: libraries attach requests, bodies
 * and headers to errors.
 */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { type, message, stack } = stdSerializers.err(error);
  return {
    type,
    message,
    ...("code" in error && { code: error.code }),
    stack,
    ...(error.cause !== undefined && {
      cause:
        error.cause instanceof Error
          ? `${error.cause.name}: ${error.cause.message}`
          : "unknown",
    }),
  };
}
