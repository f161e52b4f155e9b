import { FOLDER, MAX_FILES_BYTES } from "../contract-limits.ts";

/** The parts of Emscripten's file system that hold the bytes of files. */
export interface FileSystem {
  filesystems: {
    MEMFS: {
      ops_table: { file: { stream: { write: WriteBytes } } };
      expandFileStorage(node: StoredNode, size: number): void;
      resizeFileStorage(node: StoredNode, size: number): void;
    };
  };
  ErrnoError: new (code: number) => Error;
  lookupPath(path: string): { node: StoredNode };
}
type WriteBytes = (
  stream: { node: StoredNode },
  bytes: Uint8Array,
  offset: number,
  length: number,
  position: number,
  ...rest: unknown[]
) => number;
interface StoredNode {
  /** The bytes of a file, or the nodes in a folder. */
  contents?: Uint8Array | Record<string, StoredNode> | null;
  /** Of a file: its bytes have room for more. */
  usedBytes?: number;
}

/** WebAssembly's number of the error that no space is left. */
const ENOSPC = 51;
const WRITABLE = [FOLDER, "/tmp", "/home"];
/** A file that grows gets room for its next bytes too: as much again, of a large one an eighth. */
const LARGE_BYTES = 2 ** 20;

/** Files are memory of this process: too many end with an error that code can read, not with it. */
export function limitFiles({
  filesystems: { MEMFS },
  ErrnoError,
  lookupPath,
}: FileSystem): void {
  const count = () =>
    WRITABLE.reduce((sum, path) => sum + sizeOf(lookupPath(path).node), 0);
  let total = 0;
  /** Changes a file so that it is so long at least. */
  const change = <Result>(node: StoredNode, size: number, make: () => Result): Result => {
    const before = sizeOf(node);
    const isFull = () => size > before && total - before + size > MAX_FILES_BYTES;
    // files that were deleted since are counted still
    if (isFull()) total = count();
    if (isFull()) throw new ErrnoError(ENOSPC);
    const made = make();
    total += sizeOf(node) - before;
    return made;
  };
  const { stream } = MEMFS.ops_table.file;
  const { write } = stream;
  stream.write = (opened, bytes, offset, length, position, ...rest) =>
    change(opened.node, position + length, () =>
      write(opened, bytes, offset, length, position, ...rest),
    );
  MEMFS.resizeFileStorage = (node, size) =>
    change(node, size, () => {
      setRoom(node, size);
      node.usedBytes = size;
    });
  MEMFS.expandFileStorage = (node, size) => {
    const room = (node.contents as Uint8Array | null)?.byteLength ?? 0;
    if (room >= size) return;
    setRoom(node, Math.max(size, Math.floor(room * (room < LARGE_BYTES ? 2 : 1.125))));
  };
}

/**
 * Emscripten copies a file that grows and leaves the old bytes to be collected: a file of 100 MB
 * leaves several times its size, which ends the process when collecting comes late. So the bytes
 * are moved. What a file has room for beyond its bytes is zero.
 */
function setRoom(node: StoredNode, size: number): void {
  const bytes = (node.contents as Uint8Array | null) ?? new Uint8Array();
  const used = bytes.subarray(0, Math.min(node.usedBytes ?? 0, size));
  const isAlone = bytes.byteLength === bytes.buffer.byteLength;
  if (isAlone) node.contents = new Uint8Array((bytes.buffer as ArrayBuffer).transfer(size));
  else {
    const moved = new Uint8Array(size);
    moved.set(used);
    node.contents = moved;
  }
}

function sizeOf({ contents, usedBytes }: StoredNode): number {
  if (!contents) return 0;
  if (usedBytes !== undefined || ArrayBuffer.isView(contents)) return usedBytes ?? 0;
  return Object.values(contents).reduce((sum, node) => sum + sizeOf(node), 0);
}
