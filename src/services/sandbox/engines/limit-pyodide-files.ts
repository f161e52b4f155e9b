import { FOLDER, MAX_FILES_BYTES } from "../contract-limits.ts";

/** The parts of Emscripten's file system that hold the bytes of files. */
export interface FileSystem {
  filesystems: {
    MEMFS: {
      ops_table: { file: { stream: { write: WriteBytes } } };
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
  const resize = MEMFS.resizeFileStorage.bind(MEMFS);
  MEMFS.resizeFileStorage = (node, size) => change(node, size, () => resize(node, size));
}

function sizeOf({ contents, usedBytes }: StoredNode): number {
  if (!contents) return 0;
  if (usedBytes !== undefined || ArrayBuffer.isView(contents)) return usedBytes ?? 0;
  return Object.values(contents).reduce((sum, node) => sum + sizeOf(node), 0);
}
