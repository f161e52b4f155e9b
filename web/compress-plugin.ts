import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

const COMPRESSIBLE = /\.(?:js|css|html|svg|json)$/;
const MIN_BYTES = 1_024;
/** The best quality takes seconds for a large library, and saves a few percent. */
const LARGE_BYTES = 300_000;
const LARGE_QUALITY = 9;

/** Writes a `.br` and a `.gz` beside each text file of the build, so that a server only sends. */
export function compressFiles(): Plugin {
  let folder = "";
  return {
    name: "parlance:compress",
    apply: "build",
    configResolved({ root, build }) {
      folder = join(root, build.outDir);
    },
    closeBundle() {
      for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
        if (COMPRESSIBLE.test(name)) compress(join(folder, name));
      }
    },
  };
}

function compress(path: string): void {
  if (existsSync(`${path}.br`)) return; // of another part of the build
  const bytes = readFileSync(path);
  if (bytes.length < MIN_BYTES) return;
  const quality = bytes.length > LARGE_BYTES ? LARGE_QUALITY : constants.BROTLI_MAX_QUALITY;
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }));
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
}
