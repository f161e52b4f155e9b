import { around, type Box } from "./geometry.ts";
import type { Pdfium } from "./pdfium.ts";
import { type Matrix, placeX, placeY } from "./placement.ts";

const MAX_CLIPS = 8;
const MAX_CLIP_SEGMENTS = 64;

/**
 * The area that all clipping paths of an object leave; undefined for none. Some programs paint the
 * whole page and clip it to each cell.
 */
export function clipOf(
  { api, scratch, float }: Pdfium,
  object: number,
  toPage: Matrix,
): Box | undefined {
  const clip = api.FPDFPageObj_GetClipPath(object);
  const paths = clip === 0 ? 0 : api.FPDFClipPath_CountPaths(clip);
  let left: Box | undefined;
  for (let path = 0; path < Math.min(paths, MAX_CLIPS); path += 1) {
    const corners: Box[] = [];
    const segments = Math.min(
      api.FPDFClipPath_CountPathSegments(clip, path),
      MAX_CLIP_SEGMENTS,
    );
    for (let index = 0; index < segments; index += 1) {
      const segment = api.FPDFClipPath_GetPathSegment(clip, path, index);
      if (!api.FPDFPathSegment_GetPoint(segment, scratch, scratch + 4)) continue;
      const x = placeX(toPage, float(scratch), float(scratch + 4));
      const y = placeY(toPage, float(scratch), float(scratch + 4));
      corners.push({ left: x, right: x, top: y, bottom: y });
    }
    if (corners.length > 0) left = left ? within(left, around(corners)) : around(corners);
  }
  return left;
}

export const within = (one: Box, other: Box): Box => ({
  left: Math.max(one.left, other.left),
  top: Math.max(one.top, other.top),
  right: Math.min(one.right, other.right),
  bottom: Math.min(one.bottom, other.bottom),
});
