import { createContext, Script } from "node:vm";
import { ApiError } from "../http/errors.ts";
import { compileSchema, type Wrong } from "./compile-schema.ts";

interface Input {
  schema: Record<string, unknown>;
  /** Absent: only checks that the schema can be read. */
  value?: { checked: unknown };
}

const MAX_REASON_CHARACTERS = 300;
/** Without the start of the worker and compilation. */
const MAX_CHECK_MS = 500;
/** V8's time limit for scripts ends regular expressions as well. */
const LIMITED_SCRIPT = new Script("work()");

/**
 * A worker task, because the schema and the value are untrusted.
 * @throws ApiError `too_complex`.
 */
export default function checkInWorker({
  schema,
  value,
}: Input): Wrong[] | { unreadable: string } {
  let check: (value: unknown) => Wrong[];
  try {
    check = compileSchema(schema);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "it is not JSON Schema";
    return { unreadable: reason.slice(0, MAX_REASON_CHARACTERS) };
  }
  return value ? runWithinLimit(() => check(value.checked)) : [];
}

function runWithinLimit<T>(work: () => T): T {
  try {
    // the script returns the result of `work`
    return LIMITED_SCRIPT.runInContext(createContext({ work }), {
      timeout: MAX_CHECK_MS,
    }) as T;
  } catch (error) {
    throw new ApiError(
      422,
      "too_complex",
      "The value takes too long to check against its JSON Schema. Use a simpler JSON Schema.",
      { cause: error },
    );
  }
}
