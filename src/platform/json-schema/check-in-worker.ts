import { compileSchema, type Wrong } from "./compile-schema.ts";

interface Input {
  schema: Record<string, unknown>;
  /** Absent: only whether the schema can be read. */
  value?: { checked: unknown };
}

const MAX_REASON_CHARACTERS = 300;

/** A task for a worker: the schema and the value are strangers'. */
export default function checkInWorker({ schema, value }: Input): Wrong[] | { unreadable: string } {
  let check: (value: unknown) => Wrong[];
  try {
    check = compileSchema(schema);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "it is not JSON Schema";
    return { unreadable: reason.slice(0, MAX_REASON_CHARACTERS) };
  }
  return value ? check(value.checked) : [];
}
