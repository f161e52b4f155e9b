const MAX_NAMES = 5_000;

export interface ZipNames {
  names: string[];
  /**
   * The content of an uncompressed first part `mimetype`, with which OpenDocument and EPUB begin.
   */
  mimeType?: string;
}

/**
 * Lists the names of a zip archive's parts from its central directory, or from its first parts
 * where the end is missing. Unpacks nothing. Source: APPNOTE.TXT 4.3.7, 4.3.12, 4.3.16.
 */
export function listZipNames(bytes: Uint8Array): ZipNames {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const mimeType = declaredType(buffer);
  const end = buffer.lastIndexOf("PK\x05\x06", undefined, "latin1");
  const names =
    end >= 0 && end + 22 <= buffer.length
      ? fromTable(buffer, buffer.readUInt32LE(end + 16))
      : [];
  return {
    names: names.length > 0 ? names : fromParts(buffer),
    ...(mimeType === undefined ? {} : { mimeType }),
  };
}

function declaredType(buffer: Buffer): string | undefined {
  if (buffer.length < 38 || buffer.toString("latin1", 30, 38) !== "mimetype")
    return undefined;
  const start = 30 + buffer.readUInt16LE(26) + buffer.readUInt16LE(28);
  const packed = buffer.readUInt16LE(8) !== 0;
  if (packed) return undefined;
  const size = buffer.readUInt32LE(18) || 80;
  return buffer
    .toString("latin1", start, start + Math.min(size, 80))
    .split(/[^\w.+/-]/, 1)[0];
}

function fromTable(buffer: Buffer, offset: number): string[] {
  const names: string[] = [];
  let at = offset;
  while (
    names.length < MAX_NAMES &&
    at + 46 <= buffer.length &&
    buffer.readUInt32LE(at) === 0x02014b50
  ) {
    const length = buffer.readUInt16LE(at + 28);
    names.push(nameAt(buffer, at + 46, length));
    at += 46 + length + buffer.readUInt16LE(at + 30) + buffer.readUInt16LE(at + 32);
  }
  return names;
}

function fromParts(buffer: Buffer): string[] {
  const names: string[] = [];
  for (let at = 0; names.length < MAX_NAMES; at += 30) {
    at = buffer.indexOf("PK\x03\x04", at, "latin1");
    if (at < 0 || at + 30 > buffer.length) break;
    names.push(nameAt(buffer, at + 30, buffer.readUInt16LE(at + 26)));
  }
  return names;
}

function nameAt(buffer: Buffer, start: number, length: number): string {
  return buffer
    .toString("utf8", start, start + Math.min(length, 1_000))
    .replaceAll("\\", "/");
}
