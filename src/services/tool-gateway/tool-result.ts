import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { BadGateway } from "../../platform/http/errors.ts";
import { isRecord } from "../../platform/json/is-record.ts";
import type { Answer } from "./call-tool.ts";
import { ToolResult } from "./contract-tools.ts";
import { isLostSession } from "./explain-failure.ts";
import { type InputRequired, isInputRequired } from "./input-required.ts";
import { MISSING_CAPABILITY, RemoteError } from "./remote-error.ts";
import { type CreatedTask, isTask } from "./created-task.ts";
import { VISIT_REQUIRED } from "./visits.ts";

const MAX_ERROR_CHARACTERS = 10_000;

/** The answer to `tools/call`. @throws BadGateway `tool_failed`, McpError, RemoteError. */
export function toResult({
  result,
  error,
}: Answer): ToolResult | InputRequired | CreatedTask {
  if (error) return toErrorResult(error);
  if (isInputRequired(result) || isTask(result)) return result;
  const parsed = ToolResult.safeParse(result);
  // of any other type is what an extension adds that nobody asked for
  const isPlain = !isRecord(result) || !("resultType" in result);
  if (parsed.success && isPlain) return parsed.data;
  throw new BadGateway(
    "tool_failed",
    "The tool's result does not have the form of the tool protocol. Ask its operator.",
  );
}

/**
 * An error of the server is the tool's result, for the model to handle. The SDK uses the codes
 * -32000 and -32001 for broken connections, but a server may send them too. Source: JSON-RPC 2.0,
 * error object.
 */
function toErrorResult(error: NonNullable<Answer["error"]>): ToolResult {
  const { code, message } = error;
  if (code === MISSING_CAPABILITY || code === VISIT_REQUIRED) throw new RemoteError(error);
  const text = String(message ?? "The tool failed without a message.");
  const sentence = text.slice(0, MAX_ERROR_CHARACTERS);
  const refused = code === ErrorCode.InvalidParams || isLostSession(code, sentence);
  if (refused && code !== undefined) throw new McpError(code, sentence);
  return { content: [{ type: "text", text: sentence }], isError: true };
}
