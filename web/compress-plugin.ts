import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

const COMPRESSIBLE = /\.(?:js|css|html|svg|json)$/;
const MIN_BYTES = 1_024;

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
  const bytes = readFileSync(path);
  if (bytes.length < MIN_BYTES) return;
  writeFileSync(`${path}.br`, brotliCompressSync(bytes));
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
}
