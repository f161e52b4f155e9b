import { defineConfig } from "vitest/config";

// CI gathers what both runs counted
const report = process.env["VITEST_REPORT"];

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "packages/**/*.test.ts", "test/**/*.test.ts", "bench/**/*.test.ts", "web/**/*.test.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: "forks",
    maxWorkers: 2,
    reporters: report ? ["default", ["json", { outputFile: report }]] : ["default"],
  },
});
