import type { ParsedImage } from "../parsed-file.ts";
import type { Archive } from "./archive.ts";
import { sniffFileType } from "./sniff-file-type.ts";

const MAX_IMAGES = 500;
const MAX_IMAGE_BYTES = 20 * 2 ** 20;
const MAX_BYTES = 64 * 2 ** 20;

type Image = Omit<ParsedImage, "page">;

/** The pictures of a file, by the names under which its markdown shows them. */
export interface ImageStore {
  /** @returns the name to show for a picture that the archive holds under `path`. */
  show(path: string, caption?: string): string;
  /** Stores a picture whose bytes are known already. */
  keep(bytes: Uint8Array, name: string): string;
  /** The bytes of the shown pictures, within limits. */
  collect(archive: Archive | undefined, warnings: string[]): Promise<Image[]>;
}

interface Shown {
  name: string;
  caption?: string;
  /** Absent for a picture of the archive. */
  bytes?: Uint8Array;
}

export function imageStore(wanted: boolean | undefined): ImageStore {
  /** By the path in the archive. */
  const shown = new Map<string, Shown>();
  const names = new Set<string>();

  const nameFor = (path: string) => {
    const base =
      path
        .slice(path.lastIndexOf("/") + 1)
        .replace(/[^\w.-]+/g, "_")
        .slice(-80) || "image";
    let name = base;
    for (let count = 2; names.has(name); count += 1) name = `${count}-${base}`;
    names.add(name);
    return name;
  };

  return {
    show(path, caption) {
      const known = shown.get(path);
      if (known) return known.name;
      const name = nameFor(path);
      shown.set(path, { name, ...(caption ? { caption } : {}) });
      return name;
    },
    keep(bytes, path) {
      const name = nameFor(path);
      if (wanted) shown.set(`kept:${name}`, { name, bytes });
      return name;
    },
    async collect(archive, warnings) {
      return wanted ? collectImages(shown, archive, warnings) : [];
    },
  };
}

async function collectImages(
  shown: ReadonlyMap<string, Shown>,
  archive: Archive | undefined,
  warnings: string[],
): Promise<Image[]> {
  const images: Image[] = [];
  let total = 0;
  let left = 0;
  for (const [path, { name, caption, bytes: kept }] of shown) {
    const hasRoom = images.length < MAX_IMAGES && total < MAX_BYTES;
    const bytes = kept ?? (hasRoom ? await readImage(archive, path) : undefined);
    const type = bytes && (await sniffFileType(bytes, name));
    const fits = bytes && total + bytes.length <= MAX_BYTES && images.length < MAX_IMAGES;
    if (!type || !fits) left += 1;
    else if (type.kind === "image" || type.mimeType === "image/svg+xml") {
      total += bytes.length;
      const { mimeType } = type;
      images.push({ name, mimeType, bytes, ...(caption ? { caption } : {}) });
    }
  }
  if (left > 0)
    warnings.push(
      `${left} pictures were left out: they are missing, too large or too many.`,
    );
  return images;
}

async function readImage(
  archive: Archive | undefined,
  path: string,
): Promise<Uint8Array | undefined> {
  if (!archive?.has(path)) return undefined;
  try {
    return await archive.bytes(path, MAX_IMAGE_BYTES);
  } catch {
    return undefined; // the text of a file is worth having without a picture that is broken or too large; the caller warns
  }
}
