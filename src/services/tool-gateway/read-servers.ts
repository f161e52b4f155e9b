import { readFile } from "node:fs/promises";
import { call, type Fetch } from "../../platform/http/call.ts";
import { BadRequest } from "../../platform/http/errors.ts";
import { coreServicesConfig } from "../core/contract.ts";
import { type ToolServer, ToolServers } from "./contract.ts";

const TIMEOUT_MS = 5_000;

/** The registered tool servers: from the core, or from a file for development. */
export async function readServers(
  source: { file: string } | { core: Fetch },
): Promise<readonly ToolServer[]> {
  if ("core" in source) {
    const { mcpServers } = coreServicesConfig;
    const servers = await call(source.core, mcpServers, {}, { timeoutMs: TIMEOUT_MS });
    return ToolServers.parse(servers); // a caller without the secret gets no values of headers
  }
  const parsed = ToolServers.safeParse(await readJsonFile(source.file));
  if (parsed.success) return parsed.data.map((entry) => ({ trusted: true, ...entry }));
  const [issue] = parsed.error.issues;
  const at = issue?.path.length ? `${issue.path.join(".")}: ` : "";
  throw invalidFile(source.file, `${at}${issue?.message}`);
}

async function readJsonFile(file: string): Promise<unknown> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw invalidFile(file, "it cannot be read", error);
  });
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalidFile(file, "it is not JSON", error);
  }
}

function invalidFile(file: string, problem: string, cause?: unknown): BadRequest {
  return new BadRequest(
    "tool_servers_invalid",
    `MCP_SERVERS_FILE ${file}: ${problem}. Correct the file.`,
    { cause },
  );
}
