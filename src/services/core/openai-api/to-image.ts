import { BadRequest } from "../../../platform/http/errors.ts";
import type { Message } from "../../completion/contract.ts";

type ImagePart = Extract<Exclude<Message["content"], string>[number], { type: "image" }>;

/** Parameters, such as a character set, may stand before `base64` (RFC 2397). */
const DATA_URL = /^data:(image\/[\w.+-]+)(?:;[^;,]*)*;base64,/i;
const BASE64 = /^[A-Za-z0-9+/]+$/;

/**
 * Reads bytes in base64, in either alphabet, in lines, with or without padding; also a data: URL.
 * @returns them in base64 as it is usual, or undefined where there are none.
 */
export function readBase64(given: string): string | undefined {
  const start = /^\s*data:[^,]{0,300},/i.exec(given.slice(0, 400))?.[0].length ?? 0;
  return readBytes(given.slice(start));
}

/** @throws BadRequest `image_invalid`. */
export function toImage(given: string): ImagePart {
  const url = given.trim();
  const head = DATA_URL.exec(url.slice(0, 1_000));
  if (head?.[1]) {
    const data = readBytes(url.slice(head[0].length));
    if (data === undefined) throw invalid();
    return { type: "image", mediaType: head[1], data };
  }
  if (!/^https?:\/\//i.test(url)) throw invalid();
  const extension = /\.(png|gif|webp)(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase() ?? "jpeg";
  return { type: "image", mediaType: `image/${extension}`, url };
}

function readBytes(given: string): string | undefined {
  const data = given
    .replace(/\s/g, "")
    .replaceAll("-", "+")
    .replaceAll("_", "/")
    .replace(/={1,2}$/, "");
  if (!BASE64.test(data) || data.length % 4 === 1) return undefined;
  return data.padEnd(Math.ceil(data.length / 4) * 4, "=");
}

function invalid(): BadRequest {
  return new BadRequest(
    "image_invalid",
    "Send an image as a data: URL in base64, or as a URL that begins with http.",
  );
}
