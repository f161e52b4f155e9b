import { defineConfig } from "vitest/config";

// what the app takes in time, frames and memory; `npm run bars:web`
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ["test/bars/*.bar.ts"],
    globalSetup: ["../test/support/prepare-tests.ts"],
    testTimeout: 300_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 90_000 } }, // the machine may be busy
    pool: "forks",
    maxWorkers: 1,
    disableConsoleIntercept: true,
  },
});
