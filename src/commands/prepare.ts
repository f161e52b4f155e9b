import { makeTemplate } from "../server/database-template.ts";

/** Makes what a first start copies. It fails for nobody: a first start does without. */
export async function prepare(): Promise<number> {
  try {
    await makeTemplate();
  } catch (error) {
    const reason = (error as Error).message; // of the database or the file system
    console.error(`The first start will create its database itself: ${reason}`);
  }
  return 0;
}
