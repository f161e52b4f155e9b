import { BadRequest } from "../../platform/http/errors.ts";
import type { Target } from "./catalogue.ts";
import type { CompletionRequest, FilePart } from "./contract.ts";

/** @throws BadRequest `file_unsupported` for a file that the model does not take as it is. */
export function refuseFiles(request: CompletionRequest, target: Target): void {
  const { provider, model } = target;
  const refused = findRefused(request, target);
  if (refused) throw fileUnsupported(refused.mediaType, `${provider.name}/${model}`);
}

/** Whether the model takes all files of the request as they are. */
export function takesFiles(request: CompletionRequest, target: Target): boolean {
  return findRefused(request, target) === undefined;
}

function findRefused(
  { messages }: CompletionRequest,
  { takes }: Target,
): FilePart | undefined {
  for (const { role, content } of messages) {
    if (typeof content === "string") continue;
    for (const part of content) {
      if (part.type !== "file") continue;
      // results of tools and answers have no place for them
      if (role !== "user" || !isTaken(part, takes)) return part;
    }
  }
  return undefined;
}

function isTaken({ mediaType, data }: FilePart, takes: Target["takes"]): boolean {
  if (mediaType === "application/pdf")
    return Buffer.byteLength(data, "base64") <= takes.pdfBytes;
  return takes.audio.includes(mediaType);
}

function fileUnsupported(mediaType: string, model: string): BadRequest {
  return new BadRequest(
    "file_unsupported",
    `The model ${model} takes no ${mediaType} as it is, or not as large a one. Send its text, or ` +
      "choose another model.",
    { params: { mediaType, model } },
  );
}
