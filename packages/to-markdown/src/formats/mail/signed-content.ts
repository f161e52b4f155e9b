/**
 * The content of a signed message, which is wrapped but not encrypted; undefined for others.
 * Source: RFC 5652, 5.1, in BER or DER.
 */
export function signedContent(bytes: Buffer): Buffer | undefined {
  const info = childrenOf(bytes, 0);
  const type = info?.[0];
  const wrapped = info?.[1];
  if (!type || !wrapped || type.body.toString("hex") !== SIGNED_DATA) return undefined;
  const signed = childrenOf(wrapped.body, 0);
  // version, digests, content, …
  const content = signed && childrenOf(signed[2]?.raw ?? Buffer.alloc(0), 0)?.[1];
  return content && octets(content.body);
}

const SIGNED_DATA = "2a864886f70d010702";
const MAX_PARTS = 100_000;
const MAX_DEPTH = 8;

interface Part {
  tag: number;
  body: Buffer;
  raw: Buffer;
}

/** The parts of the sequence that begins at a place. */
function childrenOf(bytes: Buffer, at: number): Part[] | undefined {
  const outer = partAt(bytes, at);
  return outer && partsOf(outer.part.body);
}

function partsOf(body: Buffer): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < body.length && parts.length < MAX_PARTS;) {
    const found = partAt(body, at);
    if (!found || (found.part.tag === 0 && found.part.body.length === 0)) break;
    parts.push(found.part);
    at = found.end;
  }
  return parts;
}

function partAt(
  bytes: Buffer,
  at: number,
  depth = 0,
): { part: Part; end: number } | undefined {
  const [tag, first] = [bytes[at], bytes[at + 1]];
  if (tag === undefined || first === undefined || depth > MAX_DEPTH) return undefined;
  let start = at + 2;
  if (first === 0x80) {
    // of indefinite length: up to two zeros, after whole parts
    let end = start;
    while (end < bytes.length && !(bytes[end] === 0 && bytes[end + 1] === 0)) {
      const inner = partAt(bytes, end, depth + 1);
      if (!inner) return undefined;
      end = inner.end;
    }
    return { part: partOf(bytes, tag, at, start, end), end: end + 2 };
  }
  let length = first;
  if (first > 0x80) {
    const count = first & 0x7f;
    if (count > 4 || start + count > bytes.length) return undefined;
    length = bytes.readUIntBE(start, count);
    start += count;
  }
  const end = Math.min(bytes.length, start + length);
  return { part: partOf(bytes, tag, at, start, end), end };
}

function partOf(bytes: Buffer, tag: number, at: number, start: number, end: number): Part {
  return { tag, body: bytes.subarray(start, end), raw: bytes.subarray(at, end) };
}

/** The bytes of a string of octets, which may be divided into several. */
function octets(body: Buffer): Buffer | undefined {
  const [string] = partsOf(body);
  if (!string) return undefined;
  if (string.tag === 0x04) return string.body;
  return string.tag === 0x24
    ? Buffer.concat(partsOf(string.body).map(({ body: piece }) => piece))
    : undefined;
}
