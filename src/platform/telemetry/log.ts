import { pino, type Logger as PinoLogger, stdSerializers } from "pino";

export type Logger = PinoLogger;

const SECRET_FIELD = /authorization|cookie|password|secret|token$|api[-_]?key|^key$|credential/i;
const DEEPEST = 8;

interface LogOptions {
  level: string;
  name: string;
  /** Takes each line. Default: standard error. */
  write?: (line: string) => void;
}

/** JSON lines on standard error; fields that hold secrets are cut out wherever they stand. */
export function createLog({ level, name, write }: LogOptions): Logger {
  return pino(
    {
      level,
      name,
      base: { name },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => withoutSecrets(fields, 0) as Record<string, unknown>,
      },
      serializers: { err: describeError },
    },
    write ? { write } : pino.destination({ dest: 2, sync: true }),
  );
}

export function silentLog(): Logger {
  return pino({ level: "silent" });
}

/** The same object with "•••" where a field's name says that it holds a secret, at any depth. */
function withoutSecrets(value: unknown, depth: number): unknown {
  if (
    typeof value !== "object" ||
    value === null ||
    value instanceof Error ||
    value instanceof Date
  )
    return value;
  if (depth > DEEPEST) return "…";
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      SECRET_FIELD.test(name) ? "•••" : withoutSecrets(inner, depth + 1),
    ]),
  );
}

/**
 * Type, message, code, stack and cause; never the fields that libraries hang on errors (requests,
 * bodies, headers).
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
        error.cause instanceof Error ? `${error.cause.name}: ${error.cause.message}` : "unknown",
    }),
  };
}
