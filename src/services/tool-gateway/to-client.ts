import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import { ApiError } from "../../platform/http/errors.ts";
import { isRecord } from "../../platform/json/is-record.ts";
import type { ListedTool } from "./contract.ts";
import type { Offer } from "./offer.ts";
import type { Ask } from "./questions.ts";
import { RemoteError } from "./remote-error.ts";
import type { Session } from "./session.ts";
import type { CallOptions } from "./session-requests.ts";

/** Sends a request on to its server, and returns what it answers. @throws ProtocolError. */
export async function ask(
  session: Session,
  request: Ask,
  options: CallOptions,
): Promise<never> {
  try {
    const result = await session.ask(request, options);
    // what one client may read is not for others
    const isKept = isRecord(result) && "cacheScope" in result;
    // the server's answer has the schema of its method, which the SDK checks
    return (isKept ? { ...result, cacheScope: "private" } : result) as never;
  } catch (error) {
    if (error instanceof RemoteError) throw toProtocolError(error);
    if (error instanceof ApiError)
      throw new ProtocolError(ProtocolErrorCode.InternalError, error.message);
    throw error;
  }
}

function toProtocolError({ code, message, data }: RemoteError): ProtocolError {
  return new ProtocolError(code, message, data);
}

/**
 * What went wrong, for the model to handle.
 * @throws ProtocolError for a tool that the caller may not run, which no model can mend.
 */
export function toErrorResult(error: unknown): CallToolResult {
  if (error instanceof RemoteError) throw toProtocolError(error);
  if (!(error instanceof ApiError)) throw error;
  if (error.status === 403)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
  return { content: [{ type: "text", text: error.message }], isError: true };
}

/** Tools by the client's names, with what their servers say of them to clients alone. */
export function listForClient(offer: Offer, tools: readonly ListedTool[]) {
  const entries = new Map(offer.entries().map((entry) => [entry.listed.name, entry]));
  return tools.map((tool) => {
    const entry = entries.get(tool.name);
    const name = entry ? offer.nameOf(entry) : tool.name;
    // `_meta` is JSON, of any form
    return { ...toMcpTool(tool), ...entry?.tool.extras, name } as never;
  });
}

/** A tool as its server describes it, with the effect that an administrator set. */
function toMcpTool(listed: ListedTool) {
  const { name, title, description, inputSchema, outputSchema, annotations } = listed;
  const hints = listed.effectBy === "administrator" && {
    readOnlyHint: listed.effect === "read_only",
    destructiveHint: listed.effect === "destructive",
  };
  return {
    name,
    description,
    inputSchema: { type: "object" as const, ...inputSchema },
    ...(title && { title }),
    ...((annotations || hints) && { annotations: { ...annotations, ...hints } }),
    ...(outputSchema && { outputSchema: { type: "object" as const, ...outputSchema } }),
  };
}
