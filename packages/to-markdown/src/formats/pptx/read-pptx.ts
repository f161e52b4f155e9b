import type { Block } from "../blocks.ts";
import type { FileContent, ReadOptions } from "../finish-file.ts";
import { imageStore } from "../image-store.ts";
import {
  type OfficePackage,
  openPackage,
  type Relationship,
} from "../ooxml/open-package.ts";
import { readChart, readDiagram } from "../ooxml/read-chart.ts";
import { readComments } from "../ooxml/read-comments.ts";
import { tolerateDamage } from "../refuse-file.ts";
import {
  type Element,
  childOf,
  elementsOf,
  findAll,
  prefixedAttribute,
  readXmlTree,
} from "../xml-tree.ts";
import { bulletStyles, type BulletStyles } from "./bullet-styles.ts";
import { readShapes } from "./read-shapes.ts";

const MAX_SLIDES = 5_000;

/**
 * Reads PowerPoint presentations, one slide per page, with the speaker's notes after the slide.
 * Source: ECMA-376 part 1, 19.
 */
export async function readPptx(
  bytes: Uint8Array,
  { extractImages, signal }: ReadOptions,
): Promise<FileContent> {
  const office = await openPackage(bytes, "ppt/presentation.xml", signal);
  const { archive, main } = office;
  const relationships = await office.relationships(main);
  const presentation = elementsOf(await readXmlTree(archive.text(main)))[0];
  const images = imageStore(extractImages);
  const styles = layoutStyles(office);
  const warnings: string[] = [];
  const blocks: Block[] = [];
  const slides = elementsOf(childOf(presentation, "sldIdLst"), "sldId");
  if (slides.length > MAX_SLIDES)
    warnings.push(`Only the first ${MAX_SLIDES} of ${slides.length} slides were read.`);
  for (const [index, slide] of slides.slice(0, MAX_SLIDES).entries()) {
    signal?.throwIfAborted();
    if (index > 0) blocks.push({ kind: "page" });
    const path = relationships.get(prefixedAttribute(slide, "id") ?? "")?.target;
    if (!path || !archive.has(path))
      warnings.push(`Slide ${index + 1} is missing in the file.`);
    else {
      const read = () =>
        readSlide(office, path, styles, (part, alt) => images.show(part, alt));
      for (const block of await tolerateDamage(read, [], `Slide ${index + 1}`, warnings))
        blocks.push(block);
    }
  }
  return {
    blocks,
    layout: "slides",
    title: office.title,
    author: office.author,
    language: office.language,
    warnings,
    images: await images.collect(archive, warnings),
  };
}

type StylesOf = (layout: Relationship | undefined) => Promise<BulletStyles>;

async function readSlide(
  office: OfficePackage,
  path: string,
  stylesOf: StylesOf,
  showImage: (path: string, alt: string) => string,
): Promise<Block[]> {
  const relationships = await office.relationships(path);
  const byType = (type: string) =>
    [...relationships.values()].find(
      (relationship) => relationship.type === type && !relationship.external,
    );
  const tree = findAll(await readXmlTree(office.archive.text(path)), "spTree")[0];
  const later: { kind: "chart" | "diagram"; element: Element; into: Block[] }[] = [];
  const shapes = readShapes(tree, {
    styles: await stylesOf(byType("slideLayout")),
    relationships,
    showImage,
    attach(kind, element) {
      const into: Block[] = [];
      later.push({ kind, element, into });
      return into;
    },
  });
  for (const { kind, element, into } of later) {
    const target = relationships.get(
      prefixedAttribute(element, kind === "chart" ? "id" : "dm") ?? "",
    )?.target;
    if (target && office.archive.has(target))
      into.push(
        ...(await (kind === "chart" ? readChart : readDiagram)(office.archive, target)),
      );
  }
  const notes = byType("notesSlide");
  return [
    ...shapes.flat(),
    ...(await readComments(office, path)),
    ...(notes && office.archive.has(notes.target)
      ? await readNotes(office, notes.target, stylesOf)
      : []),
  ];
}

/** The speaker's notes: the text of the notes page, without its picture of the slide. */
async function readNotes(
  office: OfficePackage,
  path: string,
  stylesOf: StylesOf,
): Promise<Block[]> {
  const tree = findAll(await readXmlTree(office.archive.text(path)), "spTree")[0];
  const body = elementsOf(tree, "sp").filter((shape) => {
    const placeholder = childOf(shape, "nvSpPr", "nvPr", "ph");
    return placeholder?.attributes["type"] === "body";
  });
  const shapes = readShapes(
    { name: "spTree", attributes: {}, children: body },
    {
      styles: await stylesOf(undefined),
      relationships: await office.relationships(path),
      showImage: () => "",
      attach: () => [],
      plain: true,
    },
  );
  const [first, ...rest] = shapes.flat();
  if (first?.kind !== "paragraph") return [];
  return [{ ...first, runs: [{ text: "Notes: ", bold: true }, ...first.runs] }, ...rest];
}

function layoutStyles(office: OfficePackage): StylesOf {
  const known = new Map<string, Promise<BulletStyles>>();
  const read = async (path: string) => {
    const master = [...(await office.relationships(path)).values()].find(
      ({ type }) => type === "slideMaster",
    )?.target;
    const tree = async (part: string | undefined) =>
      part && office.archive.has(part)
        ? elementsOf(await readXmlTree(office.archive.text(part)))[0]
        : undefined;
    return bulletStyles(await tree(path), await tree(master));
  };
  return async (layout) => {
    if (!layout) return bulletStyles(undefined, undefined);
    const found = known.get(layout.target) ?? read(layout.target);
    known.set(layout.target, found);
    return found;
  };
}
