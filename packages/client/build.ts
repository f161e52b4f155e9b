import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Builds `dist/`, the package as it is published: JavaScript with types, for browsers and Node. */

process.chdir(dirname(new URL(import.meta.url).pathname));
rmSync("dist", { recursive: true, force: true });
execFileSync("npx", ["tsc", "-p", "tsconfig.build.json"], { stdio: "inherit" });

const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Record<
  string,
  unknown
>; // an object
delete manifest["scripts"];
const published = {
  ...manifest,
  types: "./src/create-client.d.ts",
  exports: {
    ".": { types: "./src/create-client.d.ts", default: "./src/create-client.js" },
  },
  sideEffects: false,
  engines: { node: ">=20.3" },
};
writeFileSync("dist/package.json", `${JSON.stringify(published, null, 2)}\n`);
copyFileSync("README.md", "dist/README.md");
copyFileSync("../../LICENSE", "dist/LICENSE");
