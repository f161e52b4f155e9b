import type { FilePart } from "../../completion/contract.ts";

/** A file that was read, and goes to the model as it is, in the form of the client's protocol. */
export function toDataUrl({ mediaType, data }: FilePart): string {
  return `data:${mediaType};base64,${data}`;
}

/** The file of such an address. */
export function toFile(
  dataUrl: string | null | undefined,
  name: string | null | undefined,
): FilePart {
  const [head = "", mediaType] =
    /^data:([\w.+-]+\/[\w.+-]+);base64,/.exec((dataUrl ?? "").slice(0, 200)) ?? [];
  if (mediaType === undefined || !dataUrl) throw new Error("A file was not read.");
  const file = { type: "file" as const, mediaType, data: dataUrl.slice(head.length) };
  return name ? { ...file, name } : file;
}
