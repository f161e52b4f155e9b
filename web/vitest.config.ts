import { defineConfig } from "vitest/config";
import { longFirst } from "../test/support/long-first.ts";

// walks and measured limits in Chromium; `npm run test:web`
const report = process.env["VITEST_REPORT"];

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ["test/**/*.walk.ts"],
    globalSetup: ["../test/support/prepare-tests.ts"],
    setupFiles: ["../test/support/before-each-file.ts"],
    testTimeout: 180_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 90_000 } }, // the machine may be busy
    pool: "forks",
    // as in the other tests: each file starts a database, and ends it before optimised code pays
    execArgv: ["--liftoff-only"],
    // to draw without the graphics card that CI has not takes a tenth less
    env: { CHROMIUM_ARGS: "--disable-gpu" },
    isolate: false, // no walk changes its process: the modules of the server are read once
    maxWorkers: 2,
    sequence: {
      sequencer: longFirst(["access.walk.ts", "pseudo.walk.ts", "hostile.walk.ts"]),
    },
    reporters: report ? ["default", ["json", { outputFile: report }]] : ["default"],
  },
});
