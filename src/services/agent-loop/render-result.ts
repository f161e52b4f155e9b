import { shortenText } from "../../platform/shorten-text.ts";
import { isRecord } from "../../platform/json/is-record.ts";
import type { ToolResult } from "../tool-gateway/contract-tools.ts";
import type { ToolFile } from "./contract-events.ts";
import { type FileRoom, type GivenFile, keepFile } from "./keep-files.ts";

/** Longer results are cut, which saves the model's context, and say so. */
const MAX_CHARACTERS = 100_000;
const MAX_FILES = 10;
const MAX_LINK_CHARACTERS = 2_000;

type Part = ToolResult["content"][number];

/**
 * A result as text for the model, which names its files. Source: Model Context Protocol,
 * CallToolResult.
 */
export function renderResult(
  { content, structuredContent }: ToolResult,
  room: FileRoom,
): { content: string; files?: ToolFile[] } {
  const files: ToolFile[] = [];
  const addFile = (given: GivenFile) => {
    const about = [given.kind, given.name, given.mediaType]
      .filter((part) => typeof part === "string" && part !== "")
      .map((part) => shortenText(String(part), MAX_LINK_CHARACTERS))
      .join(" ");
    if (files.length >= MAX_FILES) return `[${about} is left out: too many files]`;
    const file = keepFile(room, given);
    if (typeof file === "string") return `[${about} ${file}]`;
    files.push(file);
    const bytes = Buffer.byteLength(file.data, "base64");
    return `[${[file.kind, file.name, file.mediaType].filter(Boolean).join(" ")}, ${bytes} bytes]`;
  };
  const text =
    content.map((part) => renderPart(part, addFile)).join("\n") ||
    (structuredContent ? JSON.stringify(structuredContent) : "");
  const clean = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, "");
  const kept =
    clean.length <= MAX_CHARACTERS
      ? clean
      : `${shortenText(clean, MAX_CHARACTERS)}\n[cut: ${clean.length - MAX_CHARACTERS} more characters]`;
  return files.length > 0 ? { content: kept, files } : { content: kept };
}

function renderPart(part: Part, addFile: (given: GivenFile) => string): string {
  const { type, data, mimeType: mediaType } = part;
  switch (type) {
    case "text":
      return String(part["text"] ?? "");
    case "image":
      return addFile({ kind: "file", data, mediaType: mediaType ?? "image", name: "" });
    case "audio":
      return addFile({ kind: "audio", data, mediaType, name: "" });
    case "resource": {
      const resource = isRecord(part["resource"]) ? part["resource"] : {};
      const { text, blob, uri: name } = resource;
      if (typeof text === "string") return text;
      if (blob === undefined) return renderLink(resource);
      const kind = String(resource["mimeType"]).startsWith("audio/") ? "audio" : "file";
      return addFile({ kind, data: blob, mediaType: resource["mimeType"], name });
    }
    case "resource_link":
      return renderLink(part);
    default:
      return `[${type}${typeof mediaType === "string" ? ` ${mediaType}` : ""}]`;
  }
}

function renderLink(link: Record<string, unknown>): string {
  const about = ["title", "name", "uri", "mimeType", "description"]
    .map((field) => link[field])
    .filter((value) => typeof value === "string" && value !== "");
  const distinct = [
    ...new Set(about.map((value) => shortenText(String(value), MAX_LINK_CHARACTERS))),
  ];
  return `[resource ${distinct.join(" · ")}]`;
}
