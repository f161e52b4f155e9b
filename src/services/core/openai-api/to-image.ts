import { BadRequest } from "../../../platform/http/errors.ts";
import type { Message } from "../../completion/contract.ts";

type ImagePart = Extract<Exclude<Message["content"], string>[number], { type: "image" }>;

/** Parameters, such as a character set, may stand before `base64` (RFC 2397). */
const DATA_URL = /^data:(image\/[\w.+-]+)(?:;[^;,]*)*;base64,/i;
const BASE64 = /^[A-Za-z0-9+/]+$/;

/** @throws BadRequest `image_invalid`. */
export function toImage(given: string): ImagePart {
  const url = given.trim();
  const head = DATA_URL.exec(url.slice(0, 1_000));
  if (head?.[1]) return { type: "image", mediaType: head[1], data: read(url, head[0]) };
  if (!/^https?:\/\//i.test(url)) throw invalid();
  const extension = /\.(png|gif|webp)(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase() ?? "jpeg";
  return { type: "image", mediaType: `image/${extension}`, url };
}

/** In either alphabet of base64, in lines, with or without padding. */
function read(url: string, head: string): string {
  const data = url
    .slice(head.length)
    .replace(/\s/g, "")
    .replaceAll("-", "+")
    .replaceAll("_", "/")
    .replace(/={1,2}$/, "");
  if (!BASE64.test(data) || data.length % 4 === 1) throw invalid();
  return data.padEnd(Math.ceil(data.length / 4) * 4, "=");
}

function invalid(): BadRequest {
  return new BadRequest(
    "image_invalid",
    "Send an image as a data: URL in base64, or as a URL that begins with http.",
  );
}
