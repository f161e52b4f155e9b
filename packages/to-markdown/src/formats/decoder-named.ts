import { TextDecoder } from "node:util";
import iconv from "iconv-lite";

export interface Decoder {
  decode(bytes: Uint8Array): string;
}

/** Decodes an encoding of the web, or one of older systems: `cp850`, `utf-32`. */
export function decoderNamed(name: string | undefined): Decoder | undefined {
  if (!name) return undefined;
  try {
    return new TextDecoder(name);
  } catch {
    const known = name.replace(/^(?:ibm|windows)-?(?=\d{3}$)/i, "cp");
    if (!iconv.encodingExists(known)) return undefined; // a name that no one knows says nothing
    return {
      decode: (bytes) =>
        iconv.decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), known),
    };
  }
}
