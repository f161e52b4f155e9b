import { MAX_FILES_BYTES } from "../contract-limits.ts";

/** The parts of Emscripten's file system that hold the bytes of files. */
export interface FileSystem {
  filesystems: {
    MEMFS: {
      ops_table: { file: { stream: { write: WriteBytes } } };
      resizeFileStorage(node: FileNode, size: number): void;
    };
  };
  ErrnoError: new (code: number) => Error;
  lookupPath(path: string): { node: StoredNode };
  /** Those that are open, by descriptor. */
  streams: ({ node: object } | null | undefined)[];
}
type WriteBytes = (
  stream: { node: FileNode },
  bytes: Uint8Array,
  offset: number,
  length: number,
  position: number,
) => number;
interface FileNode {
  /** May have room for more bytes than the file has; what is beyond them is zero. */
  contents: Uint8Array;
  usedBytes: number;
  mtime: number;
  ctime: number;
  name: string;
  parent: { contents: Record<string, StoredNode> };
}
/** A file, a folder with nodes, or something without bytes. */
type StoredNode =
  | FileNode
  | { contents?: Record<string, StoredNode> | null; usedBytes?: undefined };

/** WebAssembly's number of the error that no space is left. */
const ENOSPC = 51;
/** From here on address space for the largest file is reserved, and memory only once it is used. */
const LARGE_BYTES = 2 ** 20;

/** Files are memory of this process: too many end with an error that code can read, not with it. */
export function limitFiles({
  filesystems: { MEMFS },
  ErrnoError,
  lookupPath,
  streams,
}: FileSystem): void {
  const { node: root } = lookupPath("/");
  /** The interpreter's own. */
  const given = sizeOf(root);
  let total = 0;
  const large = new Set<FileNode>();
  /** Their memory would wait to be collected. */
  const freeDeleted = () => {
    for (const node of large) {
      const isThere = node.parent.contents[node.name] === node;
      if (isThere || streams.some((stream) => stream?.node === node)) continue;
      (node.contents.buffer as ArrayBuffer).resize(0);
      large.delete(node);
    }
  };
  const giveRoom = (node: FileNode, size: number): void => {
    if (node.contents.byteLength >= size || growInPlace(node, size)) return;
    if (size < LARGE_BYTES) return copy(node, new ArrayBuffer(size * 2));
    freeDeleted();
    copy(node, new ArrayBuffer(size, { maxByteLength: MAX_FILES_BYTES }));
    large.add(node);
  };
  /** Changes a file so that it is so long at least. */
  const change = (node: FileNode, size: number, make: () => void): void => {
    const before = node.usedBytes;
    const isFull = () => size > before && total - before + size > MAX_FILES_BYTES;
    // files that were deleted since are counted still
    if (isFull()) total = sizeOf(root) - given;
    if (isFull()) throw new ErrnoError(ENOSPC);
    make();
    total += node.usedBytes - before;
  };
  MEMFS.ops_table.file.stream.write = ({ node }, bytes, offset, length, position) => {
    if (length === 0) return 0;
    const end = position + length;
    change(node, end, () => {
      giveRoom(node, end);
      node.contents.set(bytes.subarray(offset, offset + length), position);
      node.usedBytes = Math.max(node.usedBytes, end);
      node.mtime = node.ctime = Date.now();
    });
    return length;
  };
  MEMFS.resizeFileStorage = (node, size) =>
    change(node, size, () => {
      if (size < node.usedBytes) cut(node, size);
      else giveRoom(node, size);
      node.usedBytes = size;
    });
}

/**
 * Emscripten copies a file that grows and leaves the old bytes to be collected: a file of 100 MB
 * leaves several times its size, which ends the process when collecting comes late. So a large file
 * grows where it is, and gets room for its next bytes too.
 */
function growInPlace({ contents }: FileNode, size: number): boolean {
  const buffer = contents.buffer as ArrayBuffer;
  if (!buffer.resizable || size > buffer.maxByteLength) return false;
  buffer.resize(Math.min(Math.floor(size * 1.125), buffer.maxByteLength));
  return true;
}

function copy(node: FileNode, buffer: ArrayBuffer): void {
  const { contents, usedBytes } = node;
  node.contents = new Uint8Array(buffer);
  node.contents.set(contents.subarray(0, usedBytes));
}

function cut(node: FileNode, size: number): void {
  const buffer = node.contents.buffer as ArrayBuffer;
  if (buffer.resizable) buffer.resize(size);
  else node.contents = node.contents.slice(0, size);
}

function sizeOf({ contents, usedBytes }: StoredNode): number {
  if (usedBytes !== undefined) return usedBytes;
  return Object.values(contents ?? {}).reduce((sum, node) => sum + sizeOf(node), 0);
}
