import { constants as ofFiles, readFileSync } from "node:fs";
import { constants } from "node:os";
import { endWithParent } from "../../../platform/isolation/end-with-parent.ts";
import { CHUNK_BYTES, encodeBytes, encodeMessage } from "../frames.ts";
import { FOLDER } from "../contract-limits.ts";
import type { Command } from "../messages.ts";
import { readFrame, writeFrame } from "./host-pipe.ts";
import { type FileSystem, limitFiles } from "./limit-pyodide-files.ts";

// The program of a process with Pyodide, which obeys the commands of `messages.ts`.

/** Where the interpreter finds `cell.py`. */
const CELLS = "/lib/parlance_cell.py";
/** Compiling it takes a quarter of a start, so a snapshot has it compiled. */
const IMPORT_CELLS = `
import importlib.util, sys
spec = importlib.util.spec_from_file_location("parlance_cell", "${CELLS}")
sys.modules["parlance_cell"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sys.modules["parlance_cell"])`;
/** Packages are memory of the session, of which its code has the rest. */
const MAX_UNPACKED_BYTES = 150 * 2 ** 20;

endWithParent();

const { SNAPSHOT: snapshot, WHEELS: wheels = "[]" } = process.env;
// a picture of the memory that is damaged costs time, and no more
const pyodide = await load(snapshotOptions()).catch(() => load({}));
if (snapshot === "make") {
  giveSnapshot();
  process.exit(0);
}
unpackWheels(JSON.parse(wheels) as string[]);
// packages do not count
limitFiles(pyodide.FS as unknown as FileSystem);
const cells = openCells();
reportVersion();
for (;;) await obey();

async function load(options: object) {
  // Pyodide reads the constants of the file system in a way that the permission model refuses
  Object.assign(process, { binding: () => ({ ...constants, fs: ofFiles }) });
  const { loadPyodide } = await import("pyodide");
  const loaded = await loadPyodide({
    ...options,
    // what `import js` finds; everything else of JavaScript is of no use to the code
    jsglobals: { setTimeout, clearTimeout, Object, Promise, Array },
    env: { HOME: FOLDER, MPLBACKEND: "Agg", PYTHONDONTWRITEBYTECODE: "1" },
    packages: [],
  });
  loaded.FS.mkdirTree(FOLDER);
  loaded.FS.chdir(FOLDER);
  return loaded;
}

/** Ends the process with one line that names the wheel which cannot be unpacked. */
function unpackWheels(paths: readonly string[]): void {
  let unpacked = 0;
  for (const path of paths)
    try {
      const wheel = readFileSync(path);
      unpacked += unpackedSize(wheel);
      if (unpacked > MAX_UNPACKED_BYTES)
        throw new Error(`with it they have more than ${MAX_UNPACKED_BYTES} bytes`);
      // Pyodide knows no `Buffer`
      pyodide.unpackArchive(Uint8Array.from(wheel), "wheel");
    } catch (error) {
      const why = String(error).trim().split("\n").at(-1);
      process.stderr.write(`${path} of SANDBOX_WHEELS cannot be unpacked: ${why}\n`);
      process.exit(1);
    }
}

/** What the directory of a zip says. @throws Error if there is none. */
function unpackedSize(zip: Buffer): number {
  const end = zip.lastIndexOf("PK\x05\x06", undefined, "latin1");
  if (end < 0) throw new Error("it is no zip file, or not whole");
  let at = zip.readUInt32LE(end + 16);
  let size = 0;
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    size += zip.readUInt32LE(at + 24);
    const [name, extra, comment] = [28, 30, 32].map((field) =>
      zip.readUInt16LE(at + field),
    ) as [number, number, number]; // as many as offsets
    at += 46 + name + extra + comment;
  }
  return size;
}

/** The types of Pyodide lack these options, which its own tests and others use. */
function snapshotOptions(): object {
  if (snapshot === undefined) return {};
  if (snapshot === "make") return { _makeSnapshot: true };
  const { buffer, byteOffset, byteLength } = readFileSync(snapshot);
  return { _loadSnapshot: new Uint8Array(buffer, byteOffset, byteLength) };
}

/** The memory of an interpreter that has loaded what every session needs. */
function giveSnapshot(): void {
  writeCells();
  pyodide.runPython(`import asyncio, random${IMPORT_CELLS}`);
  const { makeMemorySnapshot } = pyodide as unknown as { makeMemorySnapshot(): Uint8Array };
  const bytes = makeMemorySnapshot();
  for (let at = 0; at < bytes.byteLength; at += CHUNK_BYTES)
    writeFrame(encodeBytes(bytes.subarray(at, at + CHUNK_BYTES)));
}

/** Files are no memory of the interpreter, so a snapshot has none. */
function writeCells(): void {
  const source = readFileSync(new URL("./cell.py", import.meta.url), "utf8");
  pyodide.FS.writeFile(CELLS, source);
}

function openCells() {
  writeCells();
  pyodide.registerJsModule("parlance_host", {
    send: (text: string) => writeFrame(encodeMessage(JSON.parse(text))),
    send_bytes: (chunk: { toJs(): Uint8Array; destroy(): void }) => {
      writeFrame(encodeBytes(chunk.toJs()));
      chunk.destroy();
    },
  });
  const opened = pyodide.runPython(`
import random, sys, parlance_host
# a snapshot has the same state for all
random.seed()
if "parlance_cell" not in sys.modules:${IMPORT_CELLS.replaceAll("\n", "\n    ")}
# the code of people finds no module of this name
cell = sys.modules.pop("parlance_cell")

class Host:
    def __init__(self, send, send_bytes):
        self.send = send
        self.send_bytes = lambda chunk: send_bytes(memoryview(chunk))

cells = cell.Cells(Host(parlance_host.send, parlance_host.send_bytes), "${FOLDER}")
sys.path.insert(0, "${FOLDER}")
cells`) as Cells;
  pyodide.unregisterJsModule("parlance_host");
  return opened;
}

interface Cells {
  run(code: string): Promise<void>;
  put(name: string, chunks: unknown): void;
}

function reportVersion(): void {
  const version = String(pyodide.runPython("import sys; sys.version.split()[0]"));
  const report = {
    type: "ready",
    version: `Python ${version} (Pyodide ${pyodide.version})`,
  };
  writeFrame(encodeMessage(report));
}

async function obey(): Promise<void> {
  // only the service sends
  const command = JSON.parse(readFrame().toString("utf8")) as Command;
  if (command.type === "run") return cells.run(command.code);
  const chunks = [];
  for (let left = command.size; left > 0;) {
    const chunk = readFrame();
    left -= chunk.byteLength;
    // Pyodide knows no `Buffer`
    chunks.push(pyodide.toPy(Uint8Array.from(chunk)));
  }
  cells.put(command.name, pyodide.toPy(chunks));
}
