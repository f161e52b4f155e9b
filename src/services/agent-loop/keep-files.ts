import { imageTypeOf } from "../../platform/image-type.ts";
import { shortenText } from "../../platform/shorten-text.ts";
import type { ToolFile } from "./contract-events.ts";

/** What a run may still keep of files in results. */
export interface FileRoom {
  charactersLeft: number;
}

/** What a server says of a file. Fields may have any type. */
export interface GivenFile {
  kind: "audio" | "file";
  data: unknown;
  mediaType: unknown;
  name: unknown;
}

/** In base64, of all results of a run. */
const MAX_RUN_CHARACTERS = 4_000_000;
const MAX_NAME_CHARACTERS = 200;
const DATA_URL = /^data:[^,]{0,200};base64,/;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;
const MEDIA_TYPE = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/;

export function openFileRoom(): FileRoom {
  return { charactersLeft: MAX_RUN_CHARACTERS };
}

/** Keeps a file for the reader, if the run has room for it. @returns why not, else the file. */
export function keepFile(
  room: FileRoom,
  { kind, data, mediaType, name }: GivenFile,
): ToolFile | string {
  if (typeof data !== "string") return "has no data";
  if (data.length > room.charactersLeft) return "is left out: too large for this reply";
  const text = data.replace(DATA_URL, "").replace(/\s/g, "");
  if (!BASE64.test(text)) return "is left out: its data is not base64";
  const bytes = Buffer.from(text, "base64"); // also reads base64url, without padding
  if (bytes.length === 0) return "is empty";
  const imageType = imageTypeOf(bytes);
  const encoded = bytes.toString("base64");
  room.charactersLeft -= encoded.length;
  const said = typeof mediaType === "string" ? mediaType.split(";")[0]?.trim() : undefined;
  return {
    kind: imageType ? "image" : kind,
    name: typeof name === "string" ? shortenText(name, MAX_NAME_CHARACTERS) : "",
    mediaType:
      imageType ?? (said && MEDIA_TYPE.test(said) ? said : "application/octet-stream"),
    data: encoded,
  };
}

/** A stored file keeps its bytes in the result as well, if the run has room for them. */
export function fitFile(room: FileRoom, file: ToolFile): ToolFile {
  if (file.data.length > room.charactersLeft) return { ...file, kind: "file", data: "" };
  room.charactersLeft -= file.data.length;
  return file;
}
