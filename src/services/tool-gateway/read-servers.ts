import { readFile } from "node:fs/promises";
import { call, type Fetch } from "../../platform/http/call.ts";
import { coreServicesConfig } from "../core/contract.ts";
import { type ToolServer, ToolServers } from "./contract.ts";

/** In development from a file, in production from the core. Source: requirements 1, gateway rule 5. */
export async function readServers(source: { file: string } | { core: Fetch }): Promise<readonly ToolServer[]> {
  if ("core" in source) return call(source.core, coreServicesConfig.mcpServers, {}, { timeoutMs: 5_000 });
  const parsed = ToolServers.safeParse(JSON.parse(await readFile(source.file, "utf8")));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new Error(`MCP_SERVERS_FILE ${source.file}: ${issue?.path.join(".")}: ${issue?.message}`);
}
