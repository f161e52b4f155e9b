import { createContext, Script } from "node:vm";
import { ApiError } from "../http/errors.ts";
import { compileSchema, type Wrong } from "./compile-schema.ts";

interface Input {
  schema: Record<string, unknown>;
  /** Absent: only whether the schema can be read. */
  value?: { checked: unknown };
}

const MAX_REASON_CHARACTERS = 300;
/** The start of a worker and compiling do not count. */
const MAX_CHECK_MS = 500;
/** V8's watchdog for scripts ends a regular expression as well. */
const LIMITED = new Script("work()");

/** A task for a worker: the schema and the value are strangers'. @throws ApiError `too_complex`. */
export default function checkInWorker({ schema, value }: Input): Wrong[] | { unreadable: string } {
  let check: (value: unknown) => Wrong[];
  try {
    check = compileSchema(schema);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "it is not JSON Schema";
    return { unreadable: reason.slice(0, MAX_REASON_CHARACTERS) };
  }
  return value ? within(() => check(value.checked)) : [];
}

function within<T>(work: () => T): T {
  try {
    // the script returns what `work` does
    return LIMITED.runInContext(createContext({ work }), { timeout: MAX_CHECK_MS }) as T;
  } catch (error) {
    throw new ApiError(
      422,
      "too_complex",
      "The value takes too long to check against its JSON Schema. Use a simpler JSON Schema.",
      { cause: error },
    );
  }
}
