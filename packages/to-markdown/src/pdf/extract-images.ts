import type { ParsedImage } from "../parsed-file.ts";
import { height, width } from "./geometry.ts";
import type { PageContent } from "./page-content.ts";
import type { Pdfium } from "./pdfium.ts";
import { writePng } from "./write-png.ts";

/** The minimum side in points; smaller pictures are decoration. */
const SMALLEST = 24;
/** The maximum number of pictures from one document. */
const MAX_IMAGES = 500;
const MAX_IMAGE_BYTES = 128 * 1024 * 1024;
const MAX_PIXELS = 24_000_000;

const FORMATS = { GRAY: 1, BGR: 2, BGRX: 3, BGRA: 4 };

/** Extracts the pictures of an open page as PNG. `taken`: the pictures of earlier pages. */
export function extractImages(
  pdfium: Pdfium,
  content: PageContent,
  taken: ParsedImage[],
): void {
  let bytes = taken.reduce((sum, image) => sum + image.bytes.length, 0);
  let number = 0;
  for (const image of content.images) {
    if (width(image) < SMALLEST || height(image) < SMALLEST) continue;
    if (taken.length >= MAX_IMAGES || bytes >= MAX_IMAGE_BYTES) return;
    const png = pngOf(pdfium, image.object);
    if (!png) continue;
    number += 1;
    bytes += png.length;
    taken.push({
      page: content.number,
      name: `page-${content.number}-image-${number}.png`,
      mimeType: "image/png",
      bytes: png,
    });
  }
}

function pngOf(pdfium: Pdfium, object: number): Uint8Array | undefined {
  const { api, scratch, uint } = pdfium;
  // checked before decoding: a picture may have gigapixels
  if (!api.FPDFImageObj_GetImagePixelSize(object, scratch, scratch + 4)) return undefined;
  if (uint(scratch) * uint(scratch + 4) > MAX_PIXELS) return undefined;
  const bitmap = api.FPDFImageObj_GetBitmap(object);
  if (bitmap === 0) return undefined;
  try {
    const size = {
      width: api.FPDFBitmap_GetWidth(bitmap),
      height: api.FPDFBitmap_GetHeight(bitmap),
    };
    const stride = api.FPDFBitmap_GetStride(bitmap);
    const pixels = pdfium.view(api.FPDFBitmap_GetBuffer(bitmap), stride * size.height);
    const rgba = toRgba(pixels, api.FPDFBitmap_GetFormat(bitmap), size, stride);
    return rgba && writePng(rgba, size.width, size.height, size.width * 4);
  } finally {
    api.FPDFBitmap_Destroy(bitmap);
  }
}

function toRgba(
  pixels: Uint8Array,
  format: number,
  size: { width: number; height: number },
  stride: number,
): Uint8Array | undefined {
  const step = {
    [FORMATS.GRAY]: 1,
    [FORMATS.BGR]: 3,
    [FORMATS.BGRX]: 4,
    [FORMATS.BGRA]: 4,
  }[format];
  if (step === undefined) return undefined;
  const rgba = new Uint8Array(size.width * size.height * 4);
  let to = 0;
  for (let y = 0; y < size.height; y += 1) {
    for (let x = 0; x < size.width; x += 1) {
      const from = y * stride + x * step;
      rgba[to] = pixels[step === 1 ? from : from + 2] ?? 0;
      rgba[to + 1] = pixels[step === 1 ? from : from + 1] ?? 0;
      rgba[to + 2] = pixels[from] ?? 0;
      to += 4;
    }
  }
  return rgba;
}
