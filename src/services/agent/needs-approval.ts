import type { ListedTool } from "../tool-gateway/contract.ts";
import type { RunRequest } from "./contract.ts";

type Asked = Pick<RunRequest, "approval" | "allowedTools">;
type Tool = Pick<ListedTool, "server" | "name" | "effect" | "fingerprint">;

/**
 * Whether a call of the tool waits for the user's decision. With `destructive`, a call waits unless
 * its tool only reads or adds, or the user has allowed the tool as it is now. A tool of unknown
 * effect counts as destructive.
 */
export function needsApproval({ approval, allowedTools }: Asked, tool: Tool): boolean {
  if (approval === "never") return false;
  if (approval === "always") return true;
  if (tool.effect === "read_only" || tool.effect === "additive") return false;
  return !allowedTools?.some(
    ({ server, name, fingerprint }) =>
      server === tool.server && name === tool.name && fingerprint === tool.fingerprint,
  );
}
