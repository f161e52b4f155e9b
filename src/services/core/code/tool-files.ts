import type { Files } from "../../../platform/files/files.ts";
import type { ToolFile } from "../../agent-loop/contract-events.ts";
import type { ConversationFile } from "./stored-files.ts";

/** Pictures that the model sees and that the reply keeps whole. */
const MAX_PICTURES = 4;
const MAX_PICTURE_BYTES = 700_000;
const MAX_RESULT_FILES = 10;
const PICTURE = /^image\/(?:png|jpeg|gif|webp)$/;

/** Pictures come first, and the first of them with their bytes, so that models see them. */
export async function toToolFiles(
  files: Pick<Files, "readStart">,
  written: readonly ConversationFile[],
): Promise<ToolFile[]> {
  const isPicture = ({ mediaType }: ConversationFile) => mediaType.startsWith("image/");
  const ordered = [
    ...written.filter(isPicture),
    ...written.filter((file) => !isPicture(file)),
  ].slice(0, MAX_RESULT_FILES);
  let pictures = 0;
  const results: ToolFile[] = [];
  for (const { id: fileId, name, mediaType, size, storageKey } of ordered) {
    const isShown =
      PICTURE.test(mediaType) && size <= MAX_PICTURE_BYTES && pictures < MAX_PICTURES;
    if (isShown) pictures += 1;
    const bytes = isShown ? await files.readStart(storageKey, size) : new Uint8Array();
    const data = Buffer.from(bytes).toString("base64");
    const kind = isShown ? "image" : "file";
    results.push({ kind, name, mediaType, data, fileId, size });
  }
  return results;
}
