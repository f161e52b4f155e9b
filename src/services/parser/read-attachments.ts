import { shortenText } from "../../platform/shorten-text.ts";
import { FileError } from "@parlance/to-markdown/file-error.ts";
import { ApiError } from "../../platform/http/errors.ts";
import { escapeMarkdown } from "./pages.ts";
import type { AttachedFile, ParsedFile } from "@parlance/to-markdown/parsed-file.ts";

const MAX_READ = 50;
const MAX_NAME_CHARACTERS = 200;

/**
 * Returns a file with the text of the files that it contains, each on new pages under its name.
 * Warnings list what cannot be read, and files nested deeper, which are not read.
 */
export async function withAttachments(
  { attachments = [], ...file }: ParsedFile,
  read: (attached: AttachedFile) => Promise<ParsedFile>,
): Promise<ParsedFile> {
  let whole: ParsedFile = file;
  for (const attached of attachments.slice(0, MAX_READ)) {
    const name = shortenText(attached.name.replace(/\s+/g, " "), MAX_NAME_CHARACTERS);
    try {
      const inner = await read(attached);
      if (inner.markdown.trim() === "")
        whole = warned(whole, `The attachment ${name} has no text.`);
      else whole = appended(whole, inner, name);
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof FileError)) throw error;
      whole = warned(whole, `The attachment ${name} was not read: ${error.message}`);
    }
  }
  const left = attachments.length - MAX_READ;
  return left > 0
    ? warned(
        whole,
        `${left} more attachments were named, not read. Send them as files of their own.`,
      )
    : whole;
}

function appended(file: ParsedFile, inner: ParsedFile, name: string): ParsedFile {
  const later = <Found extends { page: number }>(found: Found): Found => ({
    ...found,
    page: found.page + file.pages,
  });
  const deeper = inner.attachments?.length ?? 0;
  const furniture = [...(file.furniture ?? []), ...(inner.furniture ?? []).map(later)];
  return {
    ...file,
    markdown: `${file.markdown}\f# ${escapeMarkdown(name)}\n\n${inner.markdown}`,
    pages: file.pages + inner.pages,
    // their images cannot be sent to OCR, because only the reader of the outer file can render them
    pageQuality: [
      ...file.pageQuality,
      ...inner.pageQuality.map(({ page, characters }) =>
        later({ page, characters, images: 0 }),
      ),
    ],
    warnings: [
      ...file.warnings,
      ...inner.warnings.map((warning) => `${name}: ${warning}`),
      ...(deeper > 0 ? [`${name}: ${deeper} attachments of it were named, not read.`] : []),
    ],
    ...(furniture.length > 0 && { furniture }),
    ...(file.tables && { tables: [...file.tables, ...(inner.tables ?? []).map(later)] }),
    ...(file.images && { images: [...file.images, ...(inner.images ?? []).map(later)] }),
  };
}

function warned(file: ParsedFile, warning: string): ParsedFile {
  return { ...file, warnings: [...file.warnings, warning] };
}
