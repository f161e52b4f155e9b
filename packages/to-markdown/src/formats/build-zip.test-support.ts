import { crc32, deflateRawSync } from "node:zlib";

/** Builds a zip archive of these parts, compressed and with a central directory. */
export function buildZip(parts: Record<string, string | Buffer>): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(parts)) {
    const bytes = Buffer.from(content);
    // EPUB and OpenDocument files begin with an uncompressed part that names their type
    const method = name === "mimetype" ? 0 : 8;
    const packed = method === 0 ? bytes : deflateRawSync(bytes);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const here = Buffer.concat([
      Buffer.from("PK\x03\x04", "latin1"),
      common,
      Buffer.from(name),
      packed,
    ]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    central.push(
      Buffer.concat([
        Buffer.from("PK\x01\x02\x14\x00", "latin1"),
        common,
        rest,
        Buffer.from(name),
      ]),
    );
    local.push(here);
    offset += here.length;
  }
  const table = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(Math.min(local.length, 0xffff), 8);
  end.writeUInt16LE(Math.min(local.length, 0xffff), 10);
  end.writeUInt32LE(table.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, table, end]);
}

/** The relationships of a part by id: the end of the type, and the target. */
export function relationships(
  targets: Record<string, [type: string, target: string]>,
): string {
  const all = Object.entries(targets).map(
    ([id, [type, target]]) =>
      `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}" ${/^https?:/.test(target) ? 'TargetMode="External"' : ""}/>`,
  );
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all.join("")}</Relationships>`;
}
