import { join } from "node:path";
import { defineConfig } from "vite";
import { compressFiles } from "./compress-plugin.ts";
import { TARGET } from "./vite.config.ts";

const PAGES = ["frame/drawing.html", "frame/result.html", "frame/view.html"];

/** What runs in sandboxed frames. It is built apart, so that it shares no file with the app. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [compressFiles()],
  build: {
    target: TARGET,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    assetsInlineLimit: 0,
    rolldownOptions: { input: PAGES.map((page) => join(import.meta.dirname, page)) },
  },
});
