import { existsSync, realpathSync } from "node:fs";
import { join, delimiter, isAbsolute } from "node:path";
import { fileURLToPath } from "node:url";
import { access, constants } from "node:fs/promises";

/** The folders of our code and of its packages, which may be linked from elsewhere. */
export function codeFolders(): string[] {
  const root = fileURLToPath(new URL("../../../", import.meta.url));
  const packages = join(root, "node_modules");
  const folders = [
    join(root, "src"),
    join(root, "packages"),
    packages,
    realpathSync(packages),
  ];
  return [...new Set(folders)].filter((path) => existsSync(path));
}

/** The program that runs Node, and the libraries that the system loads with it. */
export function nodeFiles(): readonly string[] {
  found ??= findNodeFiles();
  return found;
}

/** A report takes 10 ms, in which nothing else runs. */
let found: readonly string[] | undefined;

function findNodeFiles(): string[] {
  // Node 24 has it, and its published types lack it; without it a report waits for name servers
  const report = process.report as typeof process.report & { excludeNetwork: boolean };
  const { excludeNetwork } = report;
  report.excludeNetwork = true;
  const { sharedObjects } = report.getReport() as { sharedObjects: string[] };
  report.excludeNetwork = excludeNetwork;
  return [process.execPath, ...sharedObjects.filter((path) => path.startsWith("/"))];
}

/** Where the system keeps programs and their libraries. */
export function systemFolders(): string[] {
  const folders = [
    "/usr",
    "/bin",
    "/lib",
    "/lib64",
    "/etc/ld.so.cache",
    "/etc/alternatives",
  ];
  return folders.filter((path) => existsSync(path));
}

/** The path of a program, found as a shell finds it. */
export async function findCommand(name: string): Promise<string | undefined> {
  if (isAbsolute(name)) return (await isExecutable(name)) ? name : undefined;
  for (const folder of (process.env["PATH"] ?? "").split(delimiter).filter(isAbsolute)) {
    const path = join(folder, name);
    if (await isExecutable(path)) return path;
  }
  return undefined;
}

function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
