import { access, constants } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";

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
