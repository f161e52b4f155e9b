import { toMarkdown } from "@parlance/to-markdown";
import { shortenText } from "../../platform/shorten-text.ts";
import { FileError } from "@parlance/to-markdown/file-error.ts";

const MAX_TITLE_CHARACTERS = 300;

export interface PageText {
  title: string;
  markdown: string;
}

/**
 * Converts a page or a file of the web to markdown. Runs in a worker process: what strangers wrote
 * may take long to read.
 * @returns the reason in words where it cannot be read.
 */
export default async function pageToText({
  bytes,
  mediaType,
  fileName,
  maxCharacters,
}: {
  bytes: Uint8Array;
  mediaType: string;
  fileName: string;
  maxCharacters: number;
}): Promise<PageText | { unreadable: string }> {
  try {
    const { markdown, title = "" } = await toMarkdown(bytes, {
      mimeType: mediaType,
      fileName,
    });
    // form feeds separate the pages of a file
    const text = shortenText(markdown.replaceAll("\f", "\n\n"), maxCharacters);
    return { title: shortenText(title, MAX_TITLE_CHARACTERS), markdown: text };
  } catch (error) {
    if (error instanceof FileError) return { unreadable: error.message };
    throw error;
  }
}
