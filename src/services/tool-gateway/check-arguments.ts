import { createContext, Script } from "node:vm";
import { type ErrorObject, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { Ajv } from "ajv";
import type { Logger } from "../../platform/telemetry/log.ts";
import type { ListedTool } from "./contract.ts";

type Wrong = { path: string; message: string };

interface Check {
  /** Absent where the schema cannot be read, or took too long. */
  validate: ValidateFunction | undefined;
  /** It holds what can take very long over short arguments. */
  costly: boolean;
  /** How often it may still take too long. */
  chances: number;
}

const LONGEST_COMPILE_MS = 1_000;
const LONGEST_CHECK_MS = 50;
const CHANCES = 3;
/** What is slow beyond its own size: expressions that backtrack, references that fan out, comparison of each with each. */
const COSTLY = /"(?:pattern|patternProperties|\$ref|\$dynamicRef|\$recursiveRef|uniqueItems)"/;
/** Arguments with more values than this are checked against the clock, whatever the schema. */
const MANY_VALUES = 1_000;
/** Only V8's watchdog for scripts can end a regular expression. */
const LIMITED = new Script("work()");
const box = createContext({});

/**
 * Checks arguments against a tool's `inputSchema` (JSON Schema 2020-12, or draft 7 where it says so). References are never fetched;
 * a schema that cannot be read checks nothing, nor does one that takes too long, and the server judges by itself.
 * Source: security row 24.
 */
export function createArgumentCheck(log: Logger): (tool: ListedTool, args: Record<string, unknown>) => Wrong[] {
  const known = new WeakMap<object, Check>();

  const checkOf = ({ name, inputSchema }: ListedTool): Check => {
    const found = known.get(inputSchema);
    if (found) return found;
    const check: Check = { validate: undefined, costly: COSTLY.test(JSON.stringify(inputSchema)), chances: CHANCES };
    try {
      check.validate = within(LONGEST_COMPILE_MS, () => compile(inputSchema));
    } catch (error) {
      log.warn({ err: error, tool: name }, "the tool's input schema cannot be read; its arguments are not checked");
    }
    known.set(inputSchema, check);
    return check;
  };

  return (tool, args) => {
    const check = checkOf(tool);
    const { validate } = check;
    if (!validate) return [];
    try {
      const right = check.costly || hasMany(args) ? within(LONGEST_CHECK_MS, () => validate(args)) : validate(args);
      return right ? [] : (validate.errors ?? []).slice(0, 20).map(describe);
    } catch {
      check.chances -= 1;
      if (check.chances === 0) {
        log.warn({ tool: tool.name }, "the tool's input schema takes too long; its arguments are no longer checked");
        check.validate = undefined;
      }
      return [];
    }
  };
}

const READING = { strict: false, allErrors: false, validateFormats: false, addUsedSchema: false, logger: false } as const;
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

function hasMany(args: Record<string, unknown>): boolean {
  let left = MANY_VALUES;
  const rest: unknown[] = [args];
  while (rest.length > 0) {
    const value = rest.pop();
    if (typeof value !== "object" || value === null) continue;
    const inner = Object.values(value);
    left -= inner.length;
    if (left < 0) return true;
    rest.push(...inner);
  }
  return false;
}

function describe({ instancePath, message = "is not valid" }: ErrorObject): Wrong {
  return { path: `arguments${instancePath.replaceAll("/", ".")}`, message };
}
