import { makeTemplate } from "../server/database-template.ts";
import { loadServices } from "../server/services.ts";

/** Makes what a first start and a first use would wait for. Both do without where it fails. */
export async function prepare(): Promise<number> {
  await attempt("The first start will create its database itself", makeTemplate);
  for (const { name, prepare } of await loadServices())
    if (prepare) await attempt(`The first use of ${name} will take longer`, prepare);
  return 0;
}

async function attempt(otherwise: string, make: () => Promise<void>): Promise<void> {
  try {
    await make();
  } catch (error) {
    const reason = (error as Error).message; // of the database, the interpreter or the file system
    console.error(`${otherwise}: ${reason}`);
  }
}
