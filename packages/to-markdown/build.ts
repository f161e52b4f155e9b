import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Builds `dist/`, the package as it is published: JavaScript with types, for any Node from 20 on.
 */

process.chdir(dirname(new URL(import.meta.url).pathname));
rmSync("dist", { recursive: true, force: true });
execFileSync("npx", ["tsc", "-p", "tsconfig.build.json"], { stdio: "inherit" });

const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Record<
  string,
  unknown
>; // an object
delete manifest["devDependencies"];
delete manifest["scripts"];
const published = {
  ...manifest,
  bin: { "to-markdown": "src/cli.js" },
  types: "./src/to-markdown.d.ts",
  exports: { ".": "./src/to-markdown.js", "./*.ts": "./src/*.js", "./*": "./src/*.js" },
  engines: { node: ">=20" },
};
writeFileSync("dist/package.json", `${JSON.stringify(published, null, 2)}\n`);
copyFileSync("README.md", "dist/README.md");
copyFileSync("../../LICENSE", "dist/LICENSE");
