import { buildZip, relationships } from "../build-zip.test-support.ts";
import { fileToMarkdown } from "../file-to-markdown.ts";

type Related = [type: string, target: string, content: string | Buffer];

/** Builds a Word document of this body and parts, by their relationship. */
export function buildDocx(body: string, parts: Record<string, Related> = {}): Buffer {
  const targets = Object.entries(parts).map(
    ([id, [type, target]]) => [id, [type, target]] as [string, [string, string]],
  );
  return buildZip({
    "_rels/.rels": relationships({ rId1: ["officeDocument", "word/document.xml"] }),
    "word/document.xml": `<w:document><w:body>${body}</w:body></w:document>`,
    "word/_rels/document.xml.rels": relationships(Object.fromEntries(targets)),
    ...Object.fromEntries(
      Object.values(parts).map(([, target, content]) => [`word/${target}`, content]),
    ),
  });
}

export async function readDocxBody(
  body: string,
  parts: Record<string, Related> = {},
): Promise<string> {
  return (await fileToMarkdown(buildDocx(body, parts), { fileName: "a.docx" })).markdown;
}

export const textParagraph = (runs: string, properties = ""): string =>
  `<w:p><w:pPr>${properties}</w:pPr>${runs}</w:p>`;
export const textRun = (text: string, properties = ""): string =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
