import { type Archive, openArchive } from "../archive.ts";
import type { Block } from "../blocks.ts";
import type { FileContent, ReadOptions } from "../finish-file.ts";
import { imageStore } from "../image-store.ts";
import { encrypted } from "../refuse-file.ts";
import { childOf, elementsOf, findIn, readXmlTree, textIn } from "../xml-tree.ts";
import { odfReader } from "./odf-reader.ts";
import { readOdfStyles } from "./odf-styles.ts";

/** OpenDocument texts, tables and presentations; sheets and slides are pages. Source: OASIS OpenDocument 1.3 part 3. */
export async function readOdf(bytes: Uint8Array, { extractImages, signal }: ReadOptions): Promise<FileContent> {
  const archive = await openArchive(bytes, signal);
  await refuseEncrypted(archive);
  const content = elementsOf(
    await readXmlTree(archive.text("content.xml"), {
      skip: new Set(["tracked-changes", "annotation", "scripts", "font-face-decls", "forms"]),
    }),
  )[0];
  const common = archive.has("styles.xml") ? elementsOf(await readXmlTree(archive.text("styles.xml")))[0] : undefined;
  const images = imageStore(extractImages);
  const reader = odfReader(readOdfStyles(common, content), (path, alt) =>
    archive.has(path) ? images.show(path, alt) : undefined,
  );
  const body = elementsOf(childOf(content, "body"))[0];
  const warnings: string[] = [];
  const blocks: Block[] = body
    ? body.name === "text"
      ? reader.text(body)
      : body.name === "spreadsheet"
        ? reader.spreadsheet(body, warnings)
        : reader.slides(body)
    : [];
  const meta = archive.has("meta.xml") ? findIn(await readXmlTree(archive.text("meta.xml")), "meta") : undefined;
  const text = (name: string) => textIn(childOf(meta, name)).trim() || undefined;
  return {
    blocks,
    title: text("title"),
    author: text("creator") ?? text("initial-creator"),
    language: text("language"),
    warnings,
    images: await images.collect(archive, warnings),
  };
}

async function refuseEncrypted(archive: Archive): Promise<void> {
  if (!archive.has("META-INF/manifest.xml")) return;
  const manifest = await readXmlTree(archive.text("META-INF/manifest.xml"));
  if (findIn(manifest, "encryption-data")) throw encrypted();
}
