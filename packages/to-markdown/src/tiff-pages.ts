import UTIF from "utif2";
import { FileError } from "./file-error.ts";
import { writePng } from "./pdf/write-png.ts";

/** About 60 × 80 cm at 300 dots per inch. */
const MAX_PIXELS = 70_000_000;
const MAX_PAGES = 10_000;

/** Returns the number of pages of a TIFF file; 0 for a damaged one. */
export function countTiffPages(bytes: Uint8Array): number {
  try {
    return Math.min(MAX_PAGES, pagesOf(bytes).length);
  } catch {
    return 0;
  }
}

/** Converts a page of a TIFF file to PNG. @throws FileError `file_damaged`, `too_complex`. */
export function renderTiffPage(bytes: Uint8Array, page: number): Uint8Array {
  try {
    const image = pagesOf(bytes)[page - 1];
    if (!image) throw new Error("there is no such page");
    const [width = 0] = image["t256"] as number[]; // a number in TIFF 6.0, section 8
    const [height = 0] = image["t257"] as number[];
    if (width * height > MAX_PIXELS)
      throw new FileError("too_complex", `A page has more than ${MAX_PIXELS} pixels.`);
    UTIF.decodeImage(Buffer.from(bytes), image);
    return writePng(UTIF.toRGBA8(image), width, height, width * 4);
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError(
      "file_damaged",
      "The TIFF file is damaged, or of an unknown kind.",
      {
        cause: error,
      },
    );
  }
}

/** The images of a file that have a width and a height. */
function pagesOf(bytes: Uint8Array): UTIF.IFD[] {
  return UTIF.decode(Buffer.from(bytes)).filter((image) => image["t256"] && image["t257"]);
}
