import { BadRequest } from "../../../platform/http/errors.ts";
import type { Message } from "../../completion/contract.ts";
import { usualBase64 } from "../given-files/base64.ts";

type ImagePart = Extract<Exclude<Message["content"], string>[number], { type: "image" }>;

/** Parameters, such as a character set, may stand before `base64` (RFC 2397). */
const DATA_URL = /^data:(image\/[\w.+-]+)(?:;[^;,]*)*;base64,/i;

/** @throws BadRequest `image_invalid`. */
export function toImage(given: string, detail?: ImagePart["detail"] | null): ImagePart {
  const url = given.trim();
  const head = DATA_URL.exec(url.slice(0, 1_000));
  if (head?.[1]) {
    const data = usualBase64(url.slice(head[0].length));
    if (data === undefined) throw invalid();
    return { type: "image", mediaType: head[1], data, ...(detail && { detail }) };
  }
  if (!/^https?:\/\//i.test(url)) throw invalid();
  const extension = /\.(png|gif|webp)(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase() ?? "jpeg";
  return {
    type: "image",
    mediaType: `image/${extension}`,
    url,
    ...(detail && { detail }),
  };
}

function invalid(): BadRequest {
  return new BadRequest(
    "image_invalid",
    "Send an image as a data: URL in base64, or as a URL that begins with http.",
  );
}
