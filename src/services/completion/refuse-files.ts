import { BadRequest } from "../../platform/http/errors.ts";
import type { Target } from "./catalogue.ts";
import type { CompletionRequest, FilePart } from "./contract.ts";

/** @throws BadRequest `file_unsupported` for a file that the model does not take as it is. */
export function refuseFiles(
  { messages }: CompletionRequest,
  { provider, model, takes }: Target,
): void {
  for (const { role, content } of messages) {
    if (typeof content === "string") continue;
    for (const part of content) {
      if (part.type !== "file") continue;
      // results of tools and answers have no place for them
      if (role !== "user" || !isTaken(part, takes))
        throw fileUnsupported(part.mediaType, `${provider.name}/${model}`);
    }
  }
}

function isTaken({ mediaType, data }: FilePart, takes: Target["takes"]): boolean {
  if (mediaType === "application/pdf")
    return Buffer.byteLength(data, "base64") <= takes.pdfBytes;
  return takes.audio.includes(mediaType);
}

export function fileUnsupported(mediaType: string, model: string): BadRequest {
  return new BadRequest(
    "file_unsupported",
    `The model ${model} takes no ${mediaType} as it is, or not as large a one. Send its text, or ` +
      "choose another model.",
    { params: { mediaType, model } },
  );
}
