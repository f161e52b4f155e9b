import { BadRequest } from "../../../platform/http/errors.ts";
import { MAX_LOGO_BYTES } from "../contract-branding.ts";
import type { Logo } from "./store.ts";

const RIFF_TYPE_OFFSET = 8;

/**
 * Decodes a picture, whose bytes say what it is. SVG is not accepted: it can contain scripts.
 * @throws BadRequest `logo_unreadable`, `logo_too_large`.
 */
export function readLogo(base64: string): Logo {
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length > MAX_LOGO_BYTES)
    throw new BadRequest(
      "logo_too_large",
      `A logo has at most ${MAX_LOGO_BYTES} bytes. Make the picture smaller.`,
      { params: { maxBytes: MAX_LOGO_BYTES } },
    );
  const type = typeOf(bytes);
  if (type === undefined)
    throw new BadRequest(
      "logo_unreadable",
      "A logo is a PNG, JPEG or WebP picture. Send one of these.",
    );
  return { bytes, type };
}

function typeOf(bytes: Buffer): string | undefined {
  const startsWith = (text: string, offset = 0) =>
    bytes.toString("latin1", offset, offset + text.length) === text;
  if (startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (startsWith("RIFF") && startsWith("WEBP", RIFF_TYPE_OFFSET)) return "image/webp";
  return undefined;
}
