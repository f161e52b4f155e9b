import type { Box } from "./geometry.ts";
import { height, width } from "./geometry.ts";
import { clipOf, within } from "./clipping.ts";
import { framesOfTables, groundsOfTables } from "./frames.ts";
import { linesAmong } from "./image-lines.ts";
import type { Fill, PageImage, Rule } from "./page-content.ts";
import {
  joinDashes,
  type Point,
  partFrames,
  RULE_THICKNESS,
  type Shape,
  sidesOf,
  shapeOf,
} from "./path-shapes.ts";
import type { Pdfium } from "./pdfium.ts";
import { combine, IDENTITY, type Matrix, placeBox, placeX, placeY } from "./placement.ts";

/** Lines, backgrounds and pictures of a page. */
export interface Graphics {
  rules: Rule[];
  fills: Fill[];
  curves: Fill[];
  images: PageImage[];
  /** Everything that may be behind white text: backgrounds, pictures, drawings. */
  grounds: Box[];
  cut: boolean;
}

const TYPE_PATH = 2;
const TYPE_IMAGE = 3;
const TYPE_SHADING = 4;
const TYPE_FORM = 5;
/** A fill mode in which figures inside others are holes. */
const ALTERNATE = 1;
const SEGMENT_LINE = 0;
const SEGMENT_BEZIER = 1;

/** A page with more objects is a map or a plan: its lines form no tables. */
const MAX_OBJECTS = 40_000;
const MAX_SEGMENTS = 120_000;
const MAX_RULES = 8_000;
const MAX_FORM_DEPTH = 12;
/** Shorter lines are parts of drawings. */
const MIN_RULE_LENGTH = 4;
/** Smaller shapes with curves are letters and icons; a page with more is a drawing. */
const MIN_CURVE = 6;
const MAX_CURVES = 1_000;
/** A thicker line, in points, is a background. */
const MIN_GROUND = 8;
const WHITE = 0xffffff;

interface Walk extends Graphics {
  pdfium: Pdfium;
  page: Matrix;
  /** Boxes around something, and backgrounds with round corners: some are those of tables. */
  frames: Box[];
  rounded: Fill[];
  objects: number;
  segments: number;
}

/** Reads the drawings of a page, including nested forms, at their places on the upright page. */
export function readGraphics(pdfium: Pdfium, page: number, toPage: Matrix): Graphics {
  const { api } = pdfium;
  const walk: Walk = {
    pdfium,
    page: toPage,
    frames: [],
    rounded: [],
    rules: [],
    fills: [],
    curves: [],
    images: [],
    grounds: [],
    cut: false,
    objects: 0,
    segments: 0,
  };
  const count = api.FPDFPage_CountObjects(page);
  for (let index = 0; index < count && !walk.cut; index += 1) {
    readObject(walk, api.FPDFPage_GetObject(page, index), IDENTITY, 0);
  }
  for (const line of linesAmong(walk.images)) addRule(walk, line);
  for (const frame of framesOfTables(walk.frames, walk.rules))
    for (const side of sidesOf(frame)) addRule(walk, side);
  walk.fills.push(...groundsOfTables(walk.rounded, walk.rules, walk.fills));
  const { rules, fills, curves, images, grounds, cut } = walk;
  return { rules, fills, curves, images, grounds, cut };
}

function readObject(walk: Walk, object: number, form: Matrix, depth: number): void {
  const { api } = walk.pdfium;
  walk.objects += 1;
  if (
    walk.objects > MAX_OBJECTS ||
    walk.segments > MAX_SEGMENTS ||
    walk.rules.length > MAX_RULES
  ) {
    walk.cut = true;
    return;
  }
  const type = api.FPDFPageObj_GetType(object);
  if (type === TYPE_PATH) readPath(walk, object, form);
  else if (type === TYPE_IMAGE) {
    const box = boundsOf(walk, object, form);
    if (!box) return;
    walk.images.push({ ...box, object });
    walk.grounds.push(box);
  } else if (type === TYPE_SHADING) {
    const box = boundsOf(walk, object, form);
    if (box) walk.grounds.push(box);
  } else if (type === TYPE_FORM && depth < MAX_FORM_DEPTH) {
    const inner = combine(matrixOf(walk.pdfium, object), form);
    const count = api.FPDFFormObj_CountObjects(object);
    for (let index = 0; index < count && !walk.cut; index += 1) {
      readObject(walk, api.FPDFFormObj_GetObject(object, index), inner, depth + 1);
    }
  }
}

function matrixOf({ api, scratch, float }: Pdfium, object: number): Matrix {
  if (!api.FPDFPageObj_GetMatrix(object, scratch)) return IDENTITY;
  const [a, b, c, d, e, f] = [0, 4, 8, 12, 16, 20].map((offset) => float(scratch + offset));
  return { a: a ?? 1, b: b ?? 0, c: c ?? 0, d: d ?? 1, e: e ?? 0, f: f ?? 0 };
}

function boundsOf(walk: Walk, object: number, form: Matrix): Box | undefined {
  const { api, scratch, float } = walk.pdfium;
  if (!api.FPDFPageObj_GetBounds(object, scratch, scratch + 4, scratch + 8, scratch + 12))
    return undefined;
  const box = {
    left: float(scratch),
    top: float(scratch + 12),
    right: float(scratch + 8),
    bottom: float(scratch + 4),
  };
  return placeBox(combine(form, walk.page), box);
}

function colourOf(walk: Walk, object: number, of: "Fill" | "Stroke" = "Fill"): number {
  const { api, scratch, uint } = walk.pdfium;
  const read = api[`FPDFPageObj_Get${of}Color`];
  if (!read(object, scratch, scratch + 4, scratch + 8, scratch + 12)) return 0;
  if (uint(scratch + 12) < 8) return WHITE;
  return (uint(scratch) << 16) | (uint(scratch + 4) << 8) | uint(scratch + 8);
}

function thicknessOf({ pdfium }: Walk, object: number): number {
  const { api, scratch, float } = pdfium;
  return api.FPDFPageObj_GetStrokeWidth(object, scratch) ? float(scratch) : 0;
}

function readPath(walk: Walk, object: number, form: Matrix): void {
  const { api, scratch, uint } = walk.pdfium;
  const box = boundsOf(walk, object, form);
  if (!box) return;
  if (!api.FPDFPath_GetDrawMode(object, scratch, scratch + 4)) return;
  const mode = uint(scratch);
  const filled = mode !== 0;
  const stroked = (uint(scratch + 4) & 0xff) !== 0;
  const colour = filled ? colourOf(walk, object) : WHITE;
  if (filled && colour !== WHITE) walk.grounds.push(box);
  const segments = api.FPDFPath_CountSegments(object);
  walk.segments += segments;
  if (walk.segments > MAX_SEGMENTS) return;
  const toPage = combine(combine(matrixOf(walk.pdfium, object), form), walk.page);
  if (width(box) < RULE_THICKNESS || height(box) < RULE_THICKNESS) {
    if (!stroked && colour === WHITE) return;
    const shapes = segments > 2 ? shapesOf(walk, object, segments, toPage) : [];
    const pieces = joinDashes(shapes.map((shape) => shape.box));
    for (const piece of pieces.length > 1 ? pieces : [box]) addRule(walk, piece);
    return;
  }
  const shapes = shapesOf(walk, object, segments, toPage);
  if (filled) {
    const clip = clipOf(walk.pdfium, object, combine(form, walk.page));
    const { frames, areas } = partFrames(shapes, mode === ALTERNATE);
    if (colour !== WHITE) walk.frames.push(...frames);
    for (const shape of areas) addFill(walk, shape, { colour, clip });
  }
  if (stroked) addStrokes(walk, object, shapes, scaleOf(toPage));
}

/** The lines of a path; a very thick one is a background, as under the heads of tables. */
function addStrokes(
  walk: Walk,
  object: number,
  shapes: readonly Shape[],
  scale: number,
): void {
  const thickness = thicknessOf(walk, object) * scale;
  const colour = thickness < MIN_GROUND ? WHITE : colourOf(walk, object, "Stroke");
  for (const { edges, rounded, box } of shapes) {
    if (rounded) walk.frames.push(box);
    for (const edge of edges) {
      const isLong = Math.max(width(edge), height(edge)) >= MIN_RULE_LENGTH;
      if (colour === WHITE || edges.length > 1 || !isLong) addRule(walk, edge);
      else addGround(walk, { ...thickened(edge, thickness / 2), colour });
    }
  }
}

function addGround(walk: Walk, ground: Fill): void {
  walk.fills.push(ground);
  walk.grounds.push(ground);
}

/** A line with its thickness, which is at its sides but not at its ends. */
const thickened = ({ left, top, right, bottom }: Box, half: number): Box =>
  right - left >= bottom - top
    ? { left, right, top: top - half, bottom: bottom + half }
    : { left: left - half, right: right + half, top, bottom };

const scaleOf = ({ a, b, c, d }: Matrix): number => Math.sqrt(Math.abs(a * d - b * c));

/** The closed or open figures of a path. */
function shapesOf(walk: Walk, object: number, segments: number, toPage: Matrix): Shape[] {
  const { api, scratch, float } = walk.pdfium;
  const shapes: Shape[] = [];
  let points: Point[] = [];
  const finish = (closed: boolean) => {
    const first = points[0];
    if (first && points.length > 1)
      shapes.push(shapeOf(closed ? [...points, first] : points));
    points = [];
  };
  for (let index = 0; index < segments; index += 1) {
    const segment = api.FPDFPath_GetPathSegment(object, index);
    if (!api.FPDFPathSegment_GetPoint(segment, scratch, scratch + 4)) continue;
    const x = placeX(toPage, float(scratch), float(scratch + 4));
    const y = placeY(toPage, float(scratch), float(scratch + 4));
    const type = api.FPDFPathSegment_GetType(segment);
    const bent = type === SEGMENT_BEZIER;
    if (!bent && type !== SEGMENT_LINE) finish(false);
    points.push({ x, y, bent });
    if (api.FPDFPathSegment_GetClose(segment)) finish(true);
  }
  finish(false);
  return shapes;
}

function addFill(
  walk: Walk,
  shape: Shape,
  { colour, clip }: { colour: number; clip: Box | undefined },
): void {
  if (shape.curved && colour !== WHITE && walk.curves.length < MAX_CURVES) {
    if (Math.min(width(shape.box), height(shape.box)) >= MIN_CURVE)
      walk.curves.push({ ...shape.box, colour });
  }
  if (colour === WHITE || !(shape.rectangle || shape.rounded)) return;
  const box = clip ? within(clip, shape.box) : shape.box;
  if (width(box) < RULE_THICKNESS || height(box) < RULE_THICKNESS) addRule(walk, box);
  else (shape.rounded ? walk.rounded : walk.fills).push({ ...box, colour });
}

function addRule(walk: Walk, box: Box): void {
  if (width(box) >= height(box)) {
    if (width(box) >= MIN_RULE_LENGTH)
      walk.rules.push({
        horizontal: true,
        at: (box.top + box.bottom) / 2,
        from: box.left,
        to: box.right,
      });
  } else if (height(box) >= MIN_RULE_LENGTH) {
    walk.rules.push({
      horizontal: false,
      at: (box.left + box.right) / 2,
      from: box.top,
      to: box.bottom,
    });
  }
}
