import { cutText } from "../../platform/cut-text.ts";
import type { ToolResult } from "../tool-gateway/contract.ts";

/** A model's context is dear: what is longer is cut, and says so. */
const LONGEST = 100_000;

/** A tool's result as text for the model. Source: Model Context Protocol, CallToolResult. */
export function renderResult({ content, structuredContent }: ToolResult): string {
  const text =
    content.map(renderPart).join("\n") ||
    (structuredContent ? JSON.stringify(structuredContent) : "");
  const clean = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, "");
  return clean.length <= LONGEST
    ? clean
    : `${cutText(clean, LONGEST)}\n[cut: ${clean.length - LONGEST} more characters]`;
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
