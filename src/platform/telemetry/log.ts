import { pino, type Logger as PinoLogger, stdSerializers } from "pino";

export type Logger = PinoLogger;

const SECRET_FIELDS = [
  "authorization",
  "cookie",
  "password",
  "apiKey",
  "key",
  "secret",
  "token",
  "accessToken",
  "refreshToken",
  "x-api-key",
];

/** JSON lines on standard error; fields that hold secrets are cut out wherever they stand. */
export function createLog({ level, name }: { level: string; name: string }): Logger {
  return pino(
    {
      level,
      name,
      base: { name },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
      redact: { paths: SECRET_FIELDS.flatMap((field) => [`["${field}"]`, `*["${field}"]`, `*.*["${field}"]`]), censor: "•••" },
    },
    pino.destination({ dest: 2, sync: true }),
  );
}

export function silentLog(): Logger {
  return pino({ level: "silent" });
}

/** Type, message, code, stack and cause; never the fields that libraries hang on errors (requests, bodies, headers). */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { type, message, stack } = stdSerializers.err(error);
  return {
    type,
    message,
    ...("code" in error && { code: error.code }),
    stack,
    ...(error.cause !== undefined && {
      cause: error.cause instanceof Error ? `${error.cause.name}: ${error.cause.message}` : "unknown",
    }),
  };
}
