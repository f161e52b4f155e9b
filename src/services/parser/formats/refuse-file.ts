import { BadRequest, TooLarge, UnsupportedType } from "../../../platform/http/errors.ts";

/** Why a file is not read; one place, so that each reason has one code. */

export function tooComplex(what: string): TooLarge {
  return new TooLarge(
    "too_complex",
    `The file is too complex to be read: ${what}. Split it, or send a simpler one.`,
  );
}

export function damaged(cause?: unknown): BadRequest {
  return new BadRequest(
    "file_damaged",
    "The file is damaged or not what its name says. Save it anew and send it again.",
    {
      cause,
    },
  );
}

export function partMissing(name: string): BadRequest {
  return new BadRequest(
    "file_damaged",
    `The file lacks its part "${name}". It may be damaged: save it anew and send it again.`,
  );
}

export function encrypted(): BadRequest {
  return new BadRequest(
    "file_encrypted",
    "The file is protected by a password. Save it without one and send it again.",
  );
}

export function unsupported(what: string): UnsupportedType {
  return new UnsupportedType(
    "file_type_not_supported",
    `${what} cannot be read. Send it as PDF, DOCX, XLSX, PPTX, ODT, EPUB, HTML or text.`,
  );
}
