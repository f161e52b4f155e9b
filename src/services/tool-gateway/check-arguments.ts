import { createContext, Script } from "node:vm";
import { type ErrorObject, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { Ajv } from "ajv";
import type { Logger } from "../../platform/telemetry/log.ts";
import type { ListedTool } from "./contract.ts";

type Wrong = { path: string; message: string };

interface Check {
  /** Absent where the schema cannot be read. */
  validate: ValidateFunction | undefined;
  hasPatterns: boolean;
}

const LONGEST_CHECK_MS = 100;
/** Only V8's watchdog for scripts can end a regular expression. */
const LIMITED = new Script("check()");
const box = createContext({});

/**
 * Checks arguments against a tool's `inputSchema` (JSON Schema 2020-12, or draft 7 where it says so). References are never fetched;
 * a schema that cannot be read checks nothing, and the server judges by itself.
 */
export function createArgumentCheck(log: Logger): (tool: ListedTool, args: Record<string, unknown>) => Wrong[] {
  const options = { strict: false, allErrors: false, validateFormats: false, addUsedSchema: false, logger: false } as const;
  const modern = new Ajv2020(options);
  const draft7 = new Ajv(options);
  const compiled = new WeakMap<object, Check>();

  const compile = ({ name, inputSchema }: ListedTool): Check => {
    const known = compiled.get(inputSchema);
    if (known) return known;
    const ajv = String(inputSchema["$schema"] ?? "").includes("draft-07") ? draft7 : modern;
    const check: Check = { validate: undefined, hasPatterns: JSON.stringify(inputSchema).includes('"pattern') };
    try {
      if ("$async" in inputSchema) throw new Error("an asynchronous schema is not JSON Schema");
      check.validate = ajv.compile(inputSchema);
    } catch (error) {
      log.warn({ err: error, tool: name }, "the tool's input schema cannot be read; its arguments are not checked");
    }
    // it would hold every schema that a server ever sent
    ajv.removeSchema(inputSchema);
    compiled.set(inputSchema, check);
    return check;
  };

  return (tool, args) => {
    const { validate, hasPatterns } = compile(tool);
    if (!validate) return [];
    const right = hasPatterns ? inTime(() => validate(args)) : validate(args);
    return right ? [] : (validate.errors ?? []).slice(0, 20).map(describe);
  };
}

/** A pattern may take for ever over a text (security row 24): after a moment the arguments count as right, and the server judges. */
function inTime(check: () => unknown): boolean {
  try {
    box["check"] = check;
    return Boolean(LIMITED.runInContext(box, { timeout: LONGEST_CHECK_MS }));
  } catch {
    return true;
  }
}

function describe({ instancePath, message = "is not valid" }: ErrorObject): Wrong {
  return { path: `arguments${instancePath.replaceAll("/", ".")}`, message };
}
