import { join } from "node:path";

/** The part of the bundler's context that is asked here. */
interface Modules {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

const SOURCES = join(import.meta.dirname, "src");
const CHAT = join(SOURCES, "chat/");
/** What runs before one can write a message. */
const FIRST = [join(SOURCES, "main.tsx"), join(SOURCES, "chat/page.tsx")];

/**
 * Which file of the build a module goes to. What the first load needs lies in few files, since each
 * costs a request and its headers: `libraries`, which a new version of the app seldom changes,
 * `first`, which every page needs or the composer shares with other pages, and `chat`, the rest of
 * the page of a conversation. Of what is left, `shared` is what most areas use.
 * `npm run test:web -- first-load` measures the result.
 */
export function chunkGroups() {
  const isFirst = reachedFrom(FIRST);
  const group = (name: string, priority: number, test: (id: string) => boolean) => ({
    name: (id: string, modules: Modules) =>
      isFirst(id, modules) && test(id) ? name : null,
    priority,
  });
  return [
    group("libraries", 3, (id) => id.includes("/node_modules/")),
    group("first", 2, (id) => !id.startsWith(CHAT)),
    group("chat", 1, (id) => id.startsWith(CHAT)),
    { name: "shared", minShareCount: 16 },
  ];
}

/** Answers whether a module is one of these, or is imported by them or by what they import. */
function reachedFrom(roots: readonly string[]): (id: string, modules: Modules) => boolean {
  let reached: Set<string> | undefined;
  return (id, modules) => (reached ??= reachedModules(roots, modules)).has(id);
}

function reachedModules(roots: readonly string[], modules: Modules): Set<string> {
  const reached = new Set(roots);
  // a set that grows while it is walked is walked to its end
  for (const id of reached)
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? [])
      reached.add(imported);
  return reached;
}
