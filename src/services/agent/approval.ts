import type { ListedTool } from "../tool-gateway/contract.ts";
import type { RunRequest } from "./contract.ts";

/**
 * Whether a call of the tool waits for a person. With `destructive`, by the tool's own annotations: a tool that says nothing of itself
 * counts as not destructive only if it says that it reads only, or that it destroys nothing, or has no annotations at all that speak of effects.
 * Source: Model Context Protocol, ToolAnnotations (`destructiveHint` matters only when `readOnlyHint` is not true).
 */
export function needsApproval(approval: RunRequest["approval"], { annotations }: Pick<ListedTool, "annotations">): boolean {
  if (approval === "never") return false;
  if (approval === "always") return true;
  if (annotations?.readOnlyHint === true) return false;
  if (annotations?.destructiveHint !== undefined) return annotations.destructiveHint;
  // the protocol's default is "destructive", but only for tools that say that they change something
  return annotations?.readOnlyHint === false;
}
