const SECTOR = 512;
const END = 0xfffffffe;
const FREE = 0xffffffff;

/** Builds a compound file of these streams, each in sectors of its own. Source: [MS-CFB]. */
export function buildCompound(streams: Record<string, Buffer>): Buffer {
  const fat: number[] = [0xfffffffd];
  const sectors: Buffer[] = [];
  const place = (bytes: Buffer): number => {
    const start = fat.length;
    const count = Math.max(1, Math.ceil(bytes.length / SECTOR));
    for (let index = 0; index < count; index += 1) {
      const sector = Buffer.alloc(SECTOR);
      bytes.copy(sector, 0, index * SECTOR, (index + 1) * SECTOR);
      sectors.push(sector);
      fat.push(index === count - 1 ? END : start + index + 1);
    }
    return start;
  };
  const names = Object.keys(streams);
  const entries = [entry("Root Entry", 5, END, 0, { child: names.length > 0 ? 1 : FREE })];
  for (const [index, name] of names.entries()) {
    const bytes = streams[name] ?? Buffer.alloc(0);
    entries.push(
      entry(name, 2, place(bytes), bytes.length, {
        right: index + 2 <= names.length ? index + 2 : FREE,
      }),
    );
  }
  const directory = place(Buffer.concat(entries));
  const table = Buffer.alloc(SECTOR, 0xff);
  for (const [index, next] of fat.entries()) table.writeUInt32LE(next, index * 4);
  const header = Buffer.alloc(SECTOR, 0xff);
  Buffer.from("d0cf11e0a1b11ae1", "hex").copy(header);
  header.fill(0, 8, 76);
  header.writeUInt16LE(9, 30);
  header.writeUInt16LE(6, 32);
  header.writeUInt32LE(1, 44);
  header.writeUInt32LE(directory, 48);
  header.writeUInt32LE(0, 56); // no stream is small: none lies in the small sectors
  header.writeUInt32LE(END, 60);
  header.writeUInt32LE(END, 68);
  header.writeUInt32LE(0, 76);
  return Buffer.concat([header, table, ...sectors]);
}

function entry(
  name: string,
  type: number,
  start: number,
  size: number,
  { child = FREE, right = FREE }: { child?: number; right?: number },
): Buffer {
  const bytes = Buffer.alloc(128);
  bytes.write(name, 0, "utf16le");
  bytes.writeUInt16LE((name.length + 1) * 2, 64);
  bytes.writeUInt8(type, 66);
  bytes.writeUInt32LE(FREE, 68);
  bytes.writeUInt32LE(right, 72);
  bytes.writeUInt32LE(child, 76);
  bytes.writeUInt32LE(start, 116);
  bytes.writeUInt32LE(size, 120);
  return bytes;
}
