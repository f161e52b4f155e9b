import type { Box } from "./geometry.ts";
import { around, height, width } from "./geometry.ts";
import type { Fill, PageImage, Rule } from "./page-content.ts";
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
const TYPE_FORM = 5;
const SEGMENT_LINE = 0;
const SEGMENT_BEZIER = 1;

/** A page with more objects is a map or a plan: its lines form no tables. */
const MAX_OBJECTS = 40_000;
const MAX_SEGMENTS = 120_000;
const MAX_RULES = 8_000;
const MAX_FORM_DEPTH = 12;
/** A thinner filled rectangle is a line. */
const RULE_THICKNESS = 3;
/** Shorter lines are parts of drawings. */
const MIN_RULE_LENGTH = 4;
/** The maximum difference in points between the ends of a straight line. */
const LEAN = 1;
/** Smaller shapes with curves are letters and icons; a page with more is a drawing. */
const MIN_CURVE = 6;
const MAX_CURVES = 1_000;
const MAX_CLIPS = 8;
const MAX_CLIP_SEGMENTS = 64;
const WHITE = 0xffffff;

interface Walk extends Graphics {
  pdfium: Pdfium;
  page: Matrix;
  objects: number;
  segments: number;
}

/** Reads the drawings of a page, including nested forms, at their places on the upright page. */
export function readGraphics(pdfium: Pdfium, page: number, toPage: Matrix): Graphics {
  const { api } = pdfium;
  const walk: Walk = {
    pdfium,
    page: toPage,
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

function colourOf(walk: Walk, object: number): number {
  const { api, scratch, uint } = walk.pdfium;
  if (
    !api.FPDFPageObj_GetFillColor(object, scratch, scratch + 4, scratch + 8, scratch + 12)
  )
    return 0;
  if (uint(scratch + 12) < 8) return WHITE;
  return (uint(scratch) << 16) | (uint(scratch + 4) << 8) | uint(scratch + 8);
}

function readPath(walk: Walk, object: number, form: Matrix): void {
  const { api, scratch, uint } = walk.pdfium;
  const box = boundsOf(walk, object, form);
  if (!box) return;
  if (!api.FPDFPath_GetDrawMode(object, scratch, scratch + 4)) return;
  const filled = uint(scratch) !== 0;
  const stroked = (uint(scratch + 4) & 0xff) !== 0;
  const colour = filled ? colourOf(walk, object) : WHITE;
  if (filled && colour !== WHITE) walk.grounds.push(box);
  const segments = api.FPDFPath_CountSegments(object);
  walk.segments += segments;
  if (walk.segments > MAX_SEGMENTS) return;
  if (width(box) < RULE_THICKNESS || height(box) < RULE_THICKNESS) {
    if (stroked || colour !== WHITE) addRule(walk, box);
    return;
  }
  const toPage = combine(combine(matrixOf(walk.pdfium, object), form), walk.page);
  const clip = filled ? clipOf(walk, object, combine(form, walk.page)) : undefined;
  for (const shape of shapesOf(walk, object, segments, toPage)) {
    if (filled)
      addFill(
        walk,
        clip && shape.rectangle ? { ...shape, box: within(clip, shape.box) } : shape,
        colour,
      );
    if (stroked) for (const edge of shape.edges) addRule(walk, edge);
  }
}

/**
 * The area that all clipping paths of an object leave; undefined for none. Some programs paint the
 * whole page and clip it to each cell.
 */
function clipOf(walk: Walk, object: number, toPage: Matrix): Box | undefined {
  const { api, scratch, float } = walk.pdfium;
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

const within = (one: Box, other: Box): Box => ({
  left: Math.max(one.left, other.left),
  top: Math.max(one.top, other.top),
  right: Math.min(one.right, other.right),
  bottom: Math.min(one.bottom, other.bottom),
});

interface Shape {
  /** Its edges that are parallel to an axis. */
  edges: Box[];
  box: Box;
  /** Whether the shape is a rectangle with such edges. */
  rectangle: boolean;
  curved: boolean;
}

/** The closed or open figures of a path. A curve ends an edge, and its figure is no rectangle. */
function shapesOf(walk: Walk, object: number, segments: number, toPage: Matrix): Shape[] {
  const { api, scratch, float } = walk.pdfium;
  const shapes: Shape[] = [];
  let points: { x: number; y: number }[] = [];
  let curved = false;
  const finish = (closed: boolean) => {
    const first = points[0];
    if (first && points.length > 1)
      shapes.push(shapeOf(closed ? [...points, first] : points, curved));
    points = [];
    curved = false;
  };
  for (let index = 0; index < segments; index += 1) {
    const segment = api.FPDFPath_GetPathSegment(object, index);
    if (!api.FPDFPathSegment_GetPoint(segment, scratch, scratch + 4)) continue;
    const x = placeX(toPage, float(scratch), float(scratch + 4));
    const y = placeY(toPage, float(scratch), float(scratch + 4));
    const type = api.FPDFPathSegment_GetType(segment);
    if (type === SEGMENT_BEZIER) curved = true;
    else if (type !== SEGMENT_LINE) finish(false);
    points.push({ x, y });
    if (api.FPDFPathSegment_GetClose(segment)) finish(true);
  }
  finish(false);
  return shapes;
}

function shapeOf(points: { x: number; y: number }[], curved: boolean): Shape {
  const edges: Box[] = [];
  let straight = true;
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const [index, point] of points.entries()) {
    box.left = Math.min(box.left, point.x);
    box.right = Math.max(box.right, point.x);
    box.top = Math.min(box.top, point.y);
    box.bottom = Math.max(box.bottom, point.y);
    const next = points[index + 1];
    if (!next) continue;
    const edge = {
      left: Math.min(point.x, next.x),
      right: Math.max(point.x, next.x),
      top: Math.min(point.y, next.y),
      bottom: Math.max(point.y, next.y),
    };
    if (width(edge) <= LEAN || height(edge) <= LEAN) edges.push(edge);
    else straight = false;
  }
  return {
    edges: curved ? [] : edges,
    box,
    curved,
    rectangle: straight && !curved && points.length >= 4 && points.length <= 6,
  };
}

function addFill(walk: Walk, shape: Shape, colour: number): void {
  if (shape.curved && colour !== WHITE && walk.curves.length < MAX_CURVES) {
    if (Math.min(width(shape.box), height(shape.box)) >= MIN_CURVE)
      walk.curves.push({ ...shape.box, colour });
  }
  if (!shape.rectangle) return;
  if (width(shape.box) < RULE_THICKNESS || height(shape.box) < RULE_THICKNESS) {
    if (colour !== WHITE) addRule(walk, shape.box);
  } else if (colour !== WHITE) walk.fills.push({ ...shape.box, colour });
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
