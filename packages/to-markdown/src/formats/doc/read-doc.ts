import { openCompound } from "../compound/open-compound.ts";
import type { FileContent, ReadOptions } from "../finish-file.ts";
import { damaged } from "../refuse-file.ts";
import { docBlocks } from "./doc-blocks.ts";
import { readFib } from "./read-fib.ts";
import { readCharacters, readParagraphs } from "./read-formatting.ts";
import { readLists } from "./read-lists.ts";
import { readStyleLevels } from "./read-styles.ts";
import { readPieces } from "./read-pieces.ts";

/**
 * Reads Word documents of 1995 to 2003. Source: [MS-DOC].
 * @throws FileError `file_damaged`, `file_encrypted`, `too_complex`.
 */
export async function readDoc(
  bytes: Uint8Array,
  _options: ReadOptions,
): Promise<FileContent> {
  const file = openCompound(bytes);
  const stream = file.stream("WordDocument");
  if (!stream) throw damaged(new Error("no WordDocument stream"));
  const fib = readFib(stream);
  const table =
    fib.table &&
    (file.stream(fib.table) ?? file.stream(fib.table === "1Table" ? "0Table" : "1Table"));
  if (fib.table && !table) throw damaged(new Error(`no stream ${fib.table}`));
  const blocks = docBlocks({
    pieces: readPieces(stream, table, fib),
    textLength: fib.textLength,
    noteLength: fib.noteLength,
    paragraphs: table ? readParagraphs(stream, table, fib) : [],
    characters: table ? readCharacters(stream, table, fib) : [],
    styleLevels: table ? readStyleLevels(table, fib) : new Map(),
    listKind: table ? readLists(table, fib) : () => "sign",
  });
  if (blocks.length === 0 && fib.textLength > 100)
    throw damaged(new Error("no text where text should be"));
  return { blocks, warnings: [] };
}
