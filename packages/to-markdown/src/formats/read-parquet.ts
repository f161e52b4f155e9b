import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import {
  type Compressors,
  parquetMetadata,
  parquetReadObjects,
  parquetSchema,
} from "hyparquet";
import { type Block, paragraph } from "./blocks.ts";
import { damaged } from "./refuse-file.ts";

const MAX_COLUMNS = 1_000;
const MAX_ROWS = 100;
/** A larger first group of rows is not unpacked to show some of them. */
const MAX_GROUP_BYTES = 64 * 2 ** 20;
const MAX_CELL_CHARACTERS = 500;

/** Snappy is part of the reader. */
const COMPRESSORS: Compressors = {
  GZIP: (packed, maxOutputLength) => gunzipSync(packed, { maxOutputLength }),
  BROTLI: (packed, maxOutputLength) => brotliDecompressSync(packed, { maxOutputLength }),
  ZSTD: (packed, maxOutputLength) => zstdDecompressSync(packed, { maxOutputLength }),
};

/**
 * Reads what a Parquet file holds: its columns with their types, and its first rows. Source: the
 * Apache Parquet format.
 * @throws FileError `file_damaged`.
 */
export async function readParquet(
  bytes: Uint8Array,
): Promise<{ blocks: Block[]; warnings: string[] }> {
  const file = toArrayBuffer(bytes);
  const metadata = readMetadata(file);
  const columns = parquetSchema(metadata).children.slice(0, MAX_COLUMNS);
  const described = columns.map(({ element }) => [
    element.name,
    element.logical_type?.type ?? element.converted_type ?? element.type ?? "group",
  ]);
  const blocks: Block[] = [
    paragraph([{ text: `Columns of a table with ${metadata.num_rows} rows:` }]),
    records([["Column", "Type"], ...described]),
  ];
  const [group] = metadata.row_groups;
  if (!group || group.total_byte_size > MAX_GROUP_BYTES) return { blocks, warnings: [] };
  try {
    const names = columns.map(({ element }) => element.name);
    const rows = await parquetReadObjects({
      file,
      metadata,
      rowEnd: MAX_ROWS,
      compressors: COMPRESSORS,
    });
    blocks.push(
      paragraph([{ text: "First rows:" }]),
      records([names, ...rows.map((row) => names.map((name) => toText(row[name])))]),
    );
    return { blocks, warnings: [] };
  } catch {
    return {
      blocks,
      warnings: [
        "The rows of the file are not shown: they are packed in a way that is not read here, or damaged.",
      ],
    };
  }
}

function readMetadata(file: ArrayBuffer) {
  try {
    return parquetMetadata(file);
  } catch (error) {
    throw damaged(error);
  }
}

function records(rows: string[][]): Block {
  return {
    kind: "records",
    rows: () => rows,
    numbers: () => rows.map((_, at) => at + 1),
  };
}

function toArrayBuffer(bytes: Uint8Array): ArrayBuffer {
  const copy = new ArrayBuffer(bytes.byteLength);
  new Uint8Array(copy).set(bytes);
  return copy;
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (value instanceof Date)
    return value
      .toISOString()
      .replace(/T00:00:00\.000Z$/, "")
      .slice(0, MAX_CELL_CHARACTERS);
  const text =
    typeof value === "object"
      ? JSON.stringify(value, (_, inner: unknown) =>
          typeof inner === "bigint" ? String(inner) : inner,
        )
      : String(value);
  return text.slice(0, MAX_CELL_CHARACTERS).toWellFormed();
}
