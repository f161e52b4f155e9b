import { type ErrorObject, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { Ajv } from "ajv";
import type { Logger } from "../../platform/telemetry/log.ts";
import type { ListedTool } from "./contract.ts";

type Wrong = { path: string; message: string };

/**
 * Checks arguments against a tool's `inputSchema` (JSON Schema 2020-12, or draft 7 where it says so). References are never fetched;
 * a schema that cannot be read checks nothing, and the server judges by itself.
 */
export function createArgumentCheck(log: Logger): (tool: ListedTool, args: Record<string, unknown>) => Wrong[] {
  const options = { strict: false, allErrors: false, validateFormats: false, addUsedSchema: false, logger: false } as const;
  const modern = new Ajv2020(options);
  const draft7 = new Ajv(options);
  const compiled = new WeakMap<object, ValidateFunction | "unreadable">();

  const compile = ({ name, inputSchema }: ListedTool) => {
    const known = compiled.get(inputSchema);
    if (known) return known;
    const ajv = String(inputSchema["$schema"] ?? "").includes("draft-07") ? draft7 : modern;
    let validate: ValidateFunction | "unreadable";
    try {
      validate = ajv.compile(inputSchema);
    } catch (error) {
      log.warn({ err: error, tool: name }, "the tool's input schema cannot be read; its arguments are not checked");
      validate = "unreadable";
    }
    compiled.set(inputSchema, validate);
    return validate;
  };

  return (tool, args) => {
    const validate = compile(tool);
    if (validate === "unreadable" || validate(args)) return [];
    return (validate.errors ?? []).slice(0, 20).map(describe);
  };
}

function describe({ instancePath, message = "is not valid" }: ErrorObject): Wrong {
  return { path: `arguments${instancePath.replaceAll("/", ".")}`, message };
}
