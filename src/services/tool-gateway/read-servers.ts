import { readFile } from "node:fs/promises";
import { call, type Fetch } from "../../platform/http/call.ts";
import { BadRequest } from "../../platform/http/errors.ts";
import { coreServicesConfig } from "../core/contract.ts";
import { type ToolServer, ToolServers } from "./contract.ts";

/**
 * In development from a file, in production from the core. Source: requirements 1, gateway rule 5.
 */
export async function readServers(
  source: { file: string } | { core: Fetch },
): Promise<readonly ToolServer[]> {
  if ("core" in source)
    return call(source.core, coreServicesConfig.mcpServers, {}, { timeoutMs: 5_000 });
  const parsed = ToolServers.safeParse(await jsonOf(source.file));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw wrong(source.file, `${issue?.path.join(".")}: ${issue?.message}`);
}

async function jsonOf(file: string): Promise<unknown> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw wrong(file, "it cannot be read", error);
  });
  try {
    return JSON.parse(text);
  } catch (error) {
    throw wrong(file, "it is not JSON", error);
  }
}

function wrong(file: string, why: string, cause?: unknown): BadRequest {
  return new BadRequest("tool_servers_invalid", `MCP_SERVERS_FILE ${file}: ${why}.`, { cause });
}
