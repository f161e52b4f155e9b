import {
  compileSchema,
  type SchemaCheck,
  type Wrong,
} from "../../platform/json-schema/compile-schema.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import type { ListedTool } from "./contract.ts";

interface Check {
  /** Absent where the schema cannot be read, or took too long. */
  wrongIn: SchemaCheck | undefined;
  /** How often it may still take too long. */
  chances: number;
}

const CHANCES = 3;

/**
 * Checks arguments against a tool's `inputSchema` (JSON Schema 2020-12, or draft 7 where it says so). References are never fetched;
 * a schema that cannot be read checks nothing, nor does one that takes too long, and the server judges by itself.
 * Source: security row 24.
 */
export function createArgumentCheck(
  log: Logger,
): (tool: ListedTool, args: Record<string, unknown>) => Wrong[] {
  const known = new WeakMap<object, Check>();

  const checkOf = ({ name, inputSchema }: ListedTool): Check => {
    const found = known.get(inputSchema);
    if (found) return found;
    const check: Check = { wrongIn: undefined, chances: CHANCES };
    try {
      check.wrongIn = compileSchema(inputSchema);
    } catch (error) {
      log.warn(
        { err: error, tool: name },
        "the tool's input schema cannot be read; its arguments are not checked",
      );
    }
    known.set(inputSchema, check);
    return check;
  };

  return (tool, args) => {
    const check = checkOf(tool);
    try {
      return (check.wrongIn?.(args) ?? []).map(({ path, message }) => ({
        path: `arguments${path}`,
        message,
      }));
    } catch {
      check.chances -= 1;
      if (check.chances === 0) {
        log.warn(
          { tool: tool.name },
          "the tool's input schema takes too long; its arguments are no longer checked",
        );
        check.wrongIn = undefined;
      }
      return [];
    }
  };
}
