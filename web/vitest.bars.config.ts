import { defineConfig } from "vitest/config";

// what the app takes in time, frames and memory; `npm run bars:web`
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ["test/bars/*.bar.ts"],
    testTimeout: 300_000,
    hookTimeout: 600_000,
    pool: "forks",
    maxWorkers: 1,
    disableConsoleIntercept: true,
  },
});
