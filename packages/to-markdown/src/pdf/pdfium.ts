import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { init, type WrappedPdfiumModule } from "@embedpdf/pdfium";

/**
 * PDFium as WebAssembly, with a small scratch memory for its out parameters. All calls are
 * synchronous.
 */
export interface Pdfium {
  api: WrappedPdfiumModule;
  /** The address of `SCRATCH_BYTES` bytes that any call may overwrite. */
  scratch: number;
  float(address: number): number;
  double(address: number): number;
  uint(address: number): number;
  setUint(address: number, value: number): void;
  /**
   * Reads a string that PDFium writes into a buffer. `write(buffer, size)` returns the length in
   * bytes, including the terminator.
   */
  text(
    encoding: "utf-8" | "utf-16le",
    write: (buffer: number, size: number) => number,
  ): string;
  /** The bytes at `address`, valid until the next call of the engine. */
  view(address: number, length: number): Uint8Array;
  /**
   * Copies `bytes` into the engine's memory, to be freed with `free`. @returns 0 if there is no
   * memory left.
   */
  keep(bytes: Uint8Array): number;
  free(address: number): void;
}

/** The longest string that is read from a file's metadata, names and links. */
const SCRATCH_BYTES = 16_384;

let loaded: Promise<Pdfium> | undefined;

/** Loads the engine once per process (about 50 ms). */
export function loadPdfium(): Promise<Pdfium> {
  loaded ??= load();
  return loaded;
}

interface HeapViews {
  HEAPU8: Uint8Array;
  HEAPU32: Uint32Array;
  HEAPF32: Float32Array;
  HEAPF64: Float64Array;
}

async function load(): Promise<Pdfium> {
  const wasm = await readFile(
    fileURLToPath(import.meta.resolve("@embedpdf/pdfium/pdfium.wasm")),
  );
  const api = withDirectCalls(await init({ wasmBinary: new Uint8Array(wasm).buffer }));
  api.PDFiumExt_Init();
  // the types lack the memory views that Emscripten's module has
  const memory = api.pdfium as typeof api.pdfium & HeapViews;
  const scratch = memory.wasmExports.malloc(SCRATCH_BYTES);
  return {
    api,
    scratch,
    // the views are looked up at each use, because they are replaced when the memory grows
    float: (address) => memory.HEAPF32[address >> 2] ?? 0,
    double: (address) => memory.HEAPF64[address >> 3] ?? 0,
    uint: (address) => memory.HEAPU32[address >> 2] ?? 0,
    setUint: (address, value) => {
      memory.HEAPU32[address >> 2] = value;
    },
    text(encoding, write) {
      const length = write(scratch, SCRATCH_BYTES);
      if (length <= 0 || length > SCRATCH_BYTES) return "";
      const text = new TextDecoder(encoding).decode(
        memory.HEAPU8.subarray(scratch, scratch + length),
      );
      return text.replace(/\0+$/, "");
    },
    keep(bytes) {
      const address = memory.wasmExports.malloc(bytes.length);
      if (address !== 0) memory.HEAPU8.set(bytes, address);
      return address;
    },
    free: (address) => memory.wasmExports.free(address),
    view: (address, length) => memory.HEAPU8.subarray(address, address + length),
  };
}

/**
 * What is called for each character or object of a page: numbers in, a number or a truth out. The
 * wrapper of the package looks each function up and converts its arguments, at several times the
 * cost of the call.
 */
const NUMBERS = [
  "FPDFFormObj_CountObjects",
  "FPDFFormObj_GetObject",
  "FPDFPageObj_CountMarks",
  "FPDFPageObj_GetMark",
  "FPDFPageObj_GetMarkedContentID",
  "FPDFPageObj_GetType",
  "FPDFPage_GetObject",
  "FPDFPathSegment_GetType",
  "FPDFPath_CountSegments",
  "FPDFPath_GetPathSegment",
  "FPDFTextObj_GetFont",
  "FPDFTextObj_GetTextRenderMode",
  "FPDFText_GetFontSize",
  "FPDFText_GetTextObject",
  "FPDFText_GetUnicode",
  "FPDFText_HasUnicodeMapError",
  "FPDFText_IsGenerated",
] as const satisfies readonly (keyof WrappedPdfiumModule)[];
const TRUTHS = [
  "FPDFPageObj_GetBounds",
  "FPDFPageObj_GetFillColor",
  "FPDFPageObj_GetMatrix",
  "FPDFPageObj_SetIsActive",
  "FPDFPathSegment_GetClose",
  "FPDFPathSegment_GetPoint",
  "FPDFPath_GetDrawMode",
  "FPDFText_GetCharOrigin",
  "FPDFText_GetLooseCharBox",
  "FPDFText_GetMatrix",
] as const satisfies readonly (keyof WrappedPdfiumModule)[];

type Call = (...numbers: number[]) => number;

/** The engine whose frequent functions are called without their wrapper. */
function withDirectCalls(api: WrappedPdfiumModule): WrappedPdfiumModule {
  const exports = api.pdfium.wasmExports as unknown as Record<string, Call | undefined>;
  const direct: Record<string, (...numbers: number[]) => number | boolean> = {};
  for (const name of NUMBERS) {
    const call = exports[name];
    if (call) direct[name] = call;
  }
  for (const name of TRUTHS) {
    const call = exports[name];
    if (call) direct[name] = (...numbers) => call(...numbers) !== 0;
  }
  return { ...api, ...direct };
}
