import { createContext, Script } from "node:vm";
import { type ErrorObject, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { Ajv } from "ajv";

/** What is wrong at which place: `.city` of `{city}`; the whole value is "". */
export interface Wrong {
  path: string;
  message: string;
}

/** @returns what is wrong with a value, 20 at most; nothing: it is right. @throws when it takes too long to say. */
export type SchemaCheck = (value: unknown) => Wrong[];

const MAX_COMPILE_MS = 1_000;
const MAX_CHECK_MS = 50;
/** What is slow beyond its own size: expressions that backtrack, references that fan out, comparison of each with each. */
const COSTLY = /"(?:pattern|patternProperties|\$ref|\$dynamicRef|\$recursiveRef|uniqueItems)"/;
/** More values than this are checked against the clock, whatever the schema. */
const MANY_VALUES = 1_000;
/** Only V8's watchdog for scripts can end a regular expression. */
const LIMITED = new Script("work()");
const box = createContext({});

/**
 * Compiles JSON Schema (2020-12, or draft 7 where it says so) that strangers wrote. References are never fetched.
 * @throws Error where it cannot be read, or takes too long to be.
 * Source: security row 24.
 */
export function compileSchema(schema: Record<string, unknown>): SchemaCheck {
  const costly = COSTLY.test(JSON.stringify(schema));
  const validate = within(MAX_COMPILE_MS, () => compile(schema));
  return (value) => {
    const right =
      costly || hasMany(value) ? within(MAX_CHECK_MS, () => validate(value)) : validate(value);
    return right ? [] : (validate.errors ?? []).slice(0, 20).map(described);
  };
}

const READING = {
  strict: false,
  allErrors: false,
  validateFormats: false,
  addUsedSchema: false,
  logger: false,
} as const;
/** One for each schema, which may claim any `$id`; the drafts' own schemas are looked up elsewhere. Inlined references multiply. */
const COMPILING = { ...READING, meta: false, validateSchema: false, inlineRefs: false } as const;
let drafts: { modern: Ajv2020; draft7: Ajv } | undefined;

function compile(schema: Record<string, unknown>): ValidateFunction {
  if ("$async" in schema) throw new Error("an asynchronous schema is not JSON Schema");
  drafts ??= { modern: new Ajv2020(READING), draft7: new Ajv(READING) };
  const isDraft7 = String(schema["$schema"] ?? "").includes("draft-07");
  const draft = isDraft7 ? drafts.draft7 : drafts.modern;
  if (draft.validateSchema(schema) !== true) throw new Error(draft.errorsText());
  return (isDraft7 ? new Ajv(COMPILING) : new Ajv2020(COMPILING)).compile(schema);
}

/** @throws when it takes longer. */
function within<T>(ms: number, work: () => T): T {
  box["work"] = work;
  try {
    return LIMITED.runInContext(box, { timeout: ms }) as T; // the script returns what `work` does
  } finally {
    box["work"] = undefined;
  }
}

function hasMany(value: unknown): boolean {
  let left = MANY_VALUES;
  const rest: unknown[] = [value];
  while (rest.length > 0) {
    const one = rest.pop();
    if (typeof one !== "object" || one === null) continue;
    const inner = Object.values(one);
    left -= inner.length;
    if (left < 0) return true;
    rest.push(...inner);
  }
  return false;
}

function described({ instancePath, message = "is not valid" }: ErrorObject): Wrong {
  return { path: instancePath.replaceAll("/", "."), message };
}
