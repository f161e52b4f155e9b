import { cutText } from "../../platform/cut-text.ts";
import type { ToolResult } from "../tool-gateway/contract.ts";

/** Longer results are cut, which saves the model's context, and say so. */
const MAX_CHARACTERS = 100_000;

/** A tool's result as text for the model. See Model Context Protocol, CallToolResult. */
export function renderResult({ content, structuredContent }: ToolResult): string {
  const text =
    content.map(renderPart).join("\n") ||
    (structuredContent ? JSON.stringify(structuredContent) : "");
  const clean = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, "");
  return clean.length <= MAX_CHARACTERS
    ? clean
    : `${cutText(clean, MAX_CHARACTERS)}\n[cut: ${clean.length - MAX_CHARACTERS} more characters]`;
}

function renderPart(part: ToolResult["content"][number]): string {
  switch (part.type) {
    case "text":
      return String(part["text"] ?? "");
    case "resource": {
      const resource = part["resource"] as { uri?: string; text?: string } | undefined; // fields of any other type print as they are
      return resource?.text ?? `[resource ${resource?.uri ?? ""}]`;
    }
    case "resource_link":
      return `[resource ${String(part["uri"] ?? "")}]`;
    default:
      return `[${part.type}${typeof part["mimeType"] === "string" ? ` ${part["mimeType"]}` : ""}]`;
  }
}
