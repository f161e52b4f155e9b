import tailwind from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { chunkGroups } from "./chunks.ts";
import { compressFiles } from "./compress-plugin.ts";
import { slimContracts } from "./contracts-plugin.ts";

/** Browsers that know `light-dark()` and `content-visibility`. */
export const TARGET = ["chrome123", "firefox125", "safari18"];
const server = `http://127.0.0.1:${process.env["PORT"] ?? 4000}`;

export default defineConfig({
  root: import.meta.dirname,
  plugins: [slimContracts(), react(), tailwind(), compressFiles()],
  build: {
    target: TARGET,
    cssTarget: TARGET,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    assetsInlineLimit: 0,
    emptyOutDir: false, // the frames are built before: vite.frames.config.ts
    rolldownOptions: { output: { codeSplitting: { groups: chunkGroups() } } },
  },
  worker: { format: "es" },
  server: {
    proxy: Object.fromEntries(
      ["/api", "/docs", "/openapi.json"].map((path) => [path, { target: server }]),
    ),
  },
});
