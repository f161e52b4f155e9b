import { type Archive, openArchive } from "../archive.ts";
import { damaged } from "../refuse-file.ts";
import { childOf, elementsOf, readXmlTree, textIn } from "../xml-tree.ts";

export interface Relationship {
  id: string;
  /** The last part of the type's URL. The rest differs between the two variants of the standard. */
  type: string;
  /** A path in the archive, or an address when external. */
  target: string;
  external: boolean;
}

export interface OfficePackage {
  archive: Archive;
  /** The path of the main part. */
  main: string;
  relationships(part: string): Promise<Map<string, Relationship>>;
  title?: string | undefined;
  author?: string | undefined;
  language?: string | undefined;
}

/**
 * Opens an Office Open XML file. Source: ECMA-376 part 2.
 * @throws FileError `file_damaged` when its main part is missing.
 */
export async function openPackage(
  bytes: Uint8Array,
  usual: string,
  signal?: AbortSignal,
): Promise<OfficePackage> {
  const archive = await openArchive(bytes, signal);
  const relationships = (part: string) => readRelationships(archive, part);
  const root = [...(await relationships("")).values()];
  const main = root.find(({ type }) => type === "officeDocument")?.target ?? usual;
  if (!archive.has(main)) throw damaged(new Error(`no part ${main}`));
  return {
    archive,
    main,
    relationships,
    ...(await readProperties(
      archive,
      root.find(({ type }) => type === "core-properties")?.target,
    )),
  };
}

async function readRelationships(
  archive: Archive,
  part: string,
): Promise<Map<string, Relationship>> {
  const slash = part.lastIndexOf("/");
  const folder = part.slice(0, slash + 1);
  const path = `${folder}_rels/${part.slice(slash + 1)}.rels`;
  const found = new Map<string, Relationship>();
  if (!archive.has(path)) return found;
  const tree = await readXmlTree(archive.text(path));
  for (const element of elementsOf(childOf(tree, "Relationships"), "Relationship")) {
    const {
      Id: id = "",
      Type: type = "",
      Target: target = "",
      TargetMode: mode,
    } = element.attributes;
    const external = mode === "External";
    found.set(id, {
      id,
      type: type.slice(type.lastIndexOf("/") + 1),
      external,
      target: external ? target : resolvePath(folder, target),
    });
  }
  return found;
}

/**
 * Resolves a relative path of a part from the root of the archive. It never leaves the archive:
 * `..` stops at the root.
 */
export function resolvePath(folder: string, target: string): string {
  const path = target.startsWith("/") ? target : folder + target;
  const parts: string[] = [];
  for (const part of path.replaceAll("\\", "/").split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}

async function readProperties(archive: Archive, path = "docProps/core.xml") {
  if (!archive.has(path)) return {};
  const properties = childOf(await readXmlTree(archive.text(path)), "coreProperties");
  const text = (name: string) => textIn(childOf(properties, name)).trim() || undefined;
  return { title: text("title"), author: text("creator"), language: text("language") };
}
