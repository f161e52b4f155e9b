import { isRecord } from "../../platform/json/is-record.ts";
import { type JsonLimits, parseJson } from "../../platform/json/json-limits.ts";

/** Values in which null has a meaning of its own: schemas and what tools return. */
const OPAQUE = new Set(["inputSchema", "outputSchema", "structuredContent", "arguments"]);
/** What a server without a version speaks. Source: Model Context Protocol, transports. */
const ASSUMED_VERSION = "2025-03-26";

/**
 * Servers in Python, Go, Java and PHP write absent fields as null, and some leave out what the
 * protocol requires of `initialize`. Changes a message to what they mean.
 */
export function repairMessage(message: unknown): unknown {
  if (Array.isArray(message)) return message.map(repairMessage);
  const repaired = withoutNulls(message);
  if (!isRecord(repaired)) return repaired;
  const given = isRecord(message) ? message : {};
  // the id of an answer to a message that could not be read
  if ("error" in repaired && given["id"] === null) repaired["id"] = null;
  if ("id" in repaired || "method" in repaired) repaired["jsonrpc"] = "2.0";
  const { result } = repaired;
  if (isRecord(result) && isInitialization(result))
    repaired["result"] = toInitialization(result);
  return repaired;
}

/** Repairs the text of one message. Text that is not JSON, or too deep, stays as it is. */
export function repairText(text: string, limits: Partial<JsonLimits>): string {
  try {
    const message = parseJson(text.replace(/^\uFEFF/, ""), limits);
    return JSON.stringify(repairMessage(message));
  } catch {
    return text;
  }
}

/** Those that we use. */
const CAPABILITIES = ["tools", "resources", "prompts", "completions", "logging"];

function isInitialization(result: Record<string, unknown>): boolean {
  if ("tools" in result || "content" in result) return false;
  return ["protocolVersion", "capabilities", "serverInfo"].some((field) => field in result);
}

function toInitialization(result: Record<string, unknown>): Record<string, unknown> {
  const { protocolVersion, capabilities, serverInfo, instructions, ...others } = result;
  const named = isRecord(serverInfo) ? serverInfo : {};
  return {
    ...others,
    protocolVersion:
      typeof protocolVersion === "string" ? protocolVersion : ASSUMED_VERSION,
    // a server that names none is asked for its tools
    capabilities: isRecord(capabilities) ? toCapabilities(capabilities) : { tools: {} },
    serverInfo: {
      name: typeof named["name"] === "string" ? named["name"] : "unnamed",
      version: String(named["version"] ?? "unknown"),
    },
    ...(typeof instructions === "string" && { instructions }),
  };
}

/** Some servers say `true` for a capability without details, and those in PHP `[]`. */
function toCapabilities(capabilities: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    CAPABILITIES.flatMap((name) => {
      const given = capabilities[name];
      if (given === undefined || given === null || given === false) return [];
      const flags = isRecord(given) ? given : {};
      const named = ["listChanged", "subscribe"].filter((flag) => flags[flag] === true);
      return [[name, Object.fromEntries(named.map((flag) => [flag, true]))]];
    }),
  );
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value))
    return value.filter((inner) => inner !== null).map(withoutNulls);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null)
      .map(([key, inner]) => [key, OPAQUE.has(key) ? inner : withoutNulls(inner)]),
  );
}
