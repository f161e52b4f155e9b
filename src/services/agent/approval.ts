import type { ListedTool } from "../tool-gateway/contract.ts";
import type { RunRequest } from "./contract.ts";

/**
 * Whether a call of the tool waits for a person. With `destructive` the tool's own annotations decide: one that calls itself destructive
 * waits, one that reads only or destroys nothing does not. The protocol's default for a tool that changes something is "destructive", so
 * one that says `readOnlyHint: false` and no more waits too; a tool without any annotation says nothing and does not wait.
 * Source: Model Context Protocol, ToolAnnotations (`destructiveHint` matters only when `readOnlyHint` is not true).
 */
export function needsApproval(
  approval: RunRequest["approval"],
  { annotations }: Pick<ListedTool, "annotations">,
): boolean {
  if (approval === "never") return false;
  if (approval === "always") return true;
  if (annotations?.readOnlyHint === true) return false;
  if (annotations?.destructiveHint !== undefined) return annotations.destructiveHint;
  return annotations?.readOnlyHint === false;
}
