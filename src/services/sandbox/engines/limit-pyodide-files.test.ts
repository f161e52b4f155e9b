import { loadPyodide } from "pyodide";
import { beforeAll, expect, test } from "vitest";
import { type FileSystem, limitFiles } from "./limit-pyodide-files.ts";

let python: Awaited<ReturnType<typeof loadPyodide>>;
beforeAll(async () => {
  python = await loadPyodide();
  limitFiles(python.FS as unknown as FileSystem);
});

function bytesOf(path: string): Uint8Array {
  const { node } = (python.FS as unknown as FileSystem).lookupPath(path);
  return node.contents as Uint8Array;
}
const run = (code: string): unknown => python.runPython(code);

test("a large file grows where it is, and leaves no copy", () => {
  run(`file = open("/tmp/big", "wb", buffering=0)
file.write(b"1" * 2**20)`);
  const { buffer } = bytesOf("/tmp/big");
  run(`for _ in range(50): file.write(b"2" * 2**20)
file.truncate(80 * 2**20)
file.close()`);
  expect(bytesOf("/tmp/big").buffer).toBe(buffer);
  const parts = `data = open("/tmp/big", "rb").read()
(data[:2**20] == b"1" * 2**20, data[2**20:51 * 2**20] == b"2" * (50 * 2**20), data[51 * 2**20:].strip(b"\\0"), len(data)).__repr__()`;
  expect(run(parts)).toBe("(True, True, b'', 83886080)");
  run(`del data
import os; os.unlink("/tmp/big")`);
});

test("what was cut off a file does not come back when it grows again", () => {
  const code = (size: number) => `with open("/tmp/cut", "w+b") as file:
    file.write(b"x" * ${size})
    file.truncate(5)
    file.seek(${size} - 1)
    file.write(b"y")
    file.seek(0)
    data = file.read()
(data[:5], data[5:-1].strip(b"\\0"), data[-1:], len(data)).__repr__()`;
  for (const size of [100, 3 * 2 ** 20])
    expect(run(code(size))).toBe(`(b'xxxxx', b'', b'y', ${size})`);
});

test("files are counted wherever they are, and those that were deleted are not", () => {
  const fill = (path: string, megabytes: number) =>
    run(`def fill():
    try:
        with open("${path}", "wb") as file:
            for _ in range(${megabytes}): file.write(bytes(2**20))
    except OSError as error: return error.errno
fill()`);
  const ENOSPC = run("import errno; errno.ENOSPC");
  expect(fill("/lib/one", 60)).toBeUndefined();
  expect(fill("/home/two", 60)).toBe(ENOSPC);
  run("import os; os.unlink('/lib/one'); os.unlink('/home/two')");
  expect(fill("/tmp/three", 90)).toBeUndefined();
  run("os.unlink('/tmp/three')");
  expect(() => run("open('/tmp/four', 'wb').truncate(2**31)")).toThrow("No space left");
});
