import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Who may import whom: the arrows of ARCHITECTURE.md, as errors. Prints each wrong import
 * and exits with 1.
 */

interface Import {
  from: string;
  to: string;
  /** Types only: gone at run time. */
  type: boolean;
  /** Loaded when it is needed. */
  lazy?: boolean;
}

interface Rule {
  says: string;
  breaks(edge: Import): boolean;
}

const serviceOf = (file: string) => /^src\/services\/([^/]+)\//.exec(file)?.[1];
const isContract = (file: string) => /\/contract[^/]*\.ts$/.test(file);
/** Declares a kind of model provider or of search engine, or a part that several kinds share. */
const declaresProvider = (file: string) =>
  /^src\/services\/(completion\/providers|web\/engines)\//.test(file);
const isTest = (file: string) =>
  file.endsWith(".test.ts") || file.startsWith("src/platform/testing/");
const SPEAKS_HTTP = /\/(routes(-\w+)?|service|mcp-endpoint)\.ts$/;
const SERVER_SIDE = /^src\/platform\/http\/(routes|app|server|respond|access)\.ts$/;

/** Layers of the web app: each imports itself and those below. Every other folder is an area. */
const WEB_LAYERS = [["api", "texts"], ["ui", "markdown", "forms", "charts"], ["shell"]];
const SHELL_LAYER = WEB_LAYERS.length - 1;
const AREA_LAYER = WEB_LAYERS.length;
/** Modules that other areas may import: sharing, a passage, a canvas, a conversation's menu. */
const SHARED_BY_AREAS =
  /^web\/src\/(sharing\/(access-reason\.tsx|dialog\.tsx|use-may-share\.ts)|documents\/passage\.tsx|canvas\/(beside\.tsx|search\.ts)|history\/conversation-menu\.tsx)$/;

const webFolder = (file: string) => /^web\/src\/([^/]+)\//.exec(file)?.[1];
/** -1: not of the web app. */
function webLayer(file: string): number {
  if (!file.startsWith("web/src/")) return -1;
  const folder = webFolder(file);
  if (folder === undefined) return AREA_LAYER + 1;
  const layer = WEB_LAYERS.findIndex((folders) => folders.includes(folder));
  return layer < 0 ? AREA_LAYER : layer;
}

const RULES: Rule[] = [
  {
    says: "platform/ knows no service",
    breaks: ({ from, to }) =>
      from.startsWith("src/platform/") && /^src\/(services|server|commands)\//.test(to),
  },
  {
    says: "services meet at their contracts: import the other's contract",
    breaks: ({ from, to }) =>
      serviceOf(from) !== undefined &&
      serviceOf(to) !== undefined &&
      serviceOf(from) !== serviceOf(to) &&
      !isContract(to),
  },
  {
    says: "services do not know the server",
    breaks: ({ from, to }) =>
      from.startsWith("src/services/") && /^src\/(server|commands)\//.test(to),
  },
  {
    says: "the server does not know the commands",
    breaks: ({ from, to }) =>
      from.startsWith("src/server/") && to.startsWith("src/commands/"),
  },
  {
    says: "only the server builds services; it and the commands see their contracts",
    breaks: ({ from, to }) =>
      /^src\/(server|commands)\//.test(from) &&
      serviceOf(to) !== undefined &&
      !isContract(to) &&
      !(from.startsWith("src/server/") && to.endsWith("/service.ts")),
  },
  {
    says: "a contract imports contracts, and what declares and calls routes",
    breaks: ({ from, to }) =>
      isContract(from) &&
      to.startsWith("src/") &&
      !isContract(to) &&
      !declaresProvider(to) &&
      !/^src\/platform\/http\/(route|page|bounds|call|errors|reported-error)\.ts$/.test(to),
  },
  {
    says: "a declaration of a provider loads its client when it is used, never at import",
    breaks: ({ from, to, type }) =>
      declaresProvider(from) &&
      to.startsWith("src/") &&
      !type &&
      !isContract(to) &&
      !declaresProvider(to),
  },
  {
    says: "the domain knows no HTTP server",
    breaks: ({ from, to }) =>
      serviceOf(from) !== undefined &&
      !SPEAKS_HTTP.test(from) &&
      !isContract(from) &&
      (SERVER_SIDE.test(to) || /^(hono|@hono\/)/.test(to)),
  },
  {
    says: "a package imports nothing of the platform",
    breaks: ({ from, to }) => from.startsWith("packages/") && /^(src|test)\//.test(to),
  },
  {
    says: "the server and its packages know nothing of the web app",
    breaks: ({ from, to }) => !from.startsWith("web/") && to.startsWith("web/"),
  },
  {
    says: "of the server, the web app imports contracts, and types of routes",
    breaks: ({ from, to, type }) =>
      from.startsWith("web/") &&
      /^(src|packages)\//.test(to) &&
      !/^src\/(services\/.+\/contract[^/]*|server\/contract)\.ts$/.test(to) &&
      !(type && to === "src/platform/http/route.ts"),
  },
  {
    says: "the web app imports one way: main → routes → areas → shell → ui, markdown, forms → api",
    breaks: ({ from, to }) => from.startsWith("web/src/") && webLayer(from) < webLayer(to),
  },
  {
    says: "an area imports no other area, except the modules in SHARED_BY_AREAS",
    breaks: ({ from, to }) =>
      webLayer(from) === AREA_LAYER &&
      webLayer(to) === AREA_LAYER &&
      webFolder(from) !== webFolder(to) &&
      !SHARED_BY_AREAS.test(to),
  },
  {
    says: "in an area only queries.ts calls the API",
    breaks: ({ from, to }) =>
      webLayer(from) >= SHELL_LAYER &&
      /^web\/src\/api\/(call|stream|upload|request)\.ts$/.test(to) &&
      !/\/(?:[a-z-]+-)?queries\.ts$/.test(from),
  },
  {
    says: "only ui/ knows Base UI, only markdown/ the parser of Markdown",
    breaks: ({ from, to }) =>
      from.startsWith("web/src/") &&
      ((to.startsWith("@base-ui/") && webFolder(from) !== "ui") ||
        (to === "marked" && webFolder(from) !== "markdown")),
  },
  {
    says: "the product does not import tests",
    breaks: ({ to }) => to.startsWith("test/") || isTest(to),
  },
];

const files = [
  ...globSync("src/**/*.ts"),
  ...globSync("packages/*/src/**/*.ts"),
  ...globSync("web/src/**/*.{ts,tsx}"),
].filter((file) => !isTest(file));
const imports = files.flatMap(importsOf);
const wrong = imports.flatMap((edge) =>
  RULES.filter((rule) => rule.breaks(edge)).map(
    ({ says }) => `${edge.from} → ${edge.to}: ${says}`,
  ),
);
const cycles = cyclesIn(imports.filter(({ lazy }) => !lazy)).map(
  (files) => `a cycle: ${files.join(" → ")}`,
);

for (const line of [...wrong, ...cycles]) console.error(line);
console.log(
  `${files.length} files, ${imports.length} imports, ${wrong.length + cycles.length} wrong`,
);
process.exit(wrong.length + cycles.length > 0 ? 1 : 0);

/**
 * Every file is formatted, so an import statement begins a line and ends with its quoted source; a
 * regular expression reads it safely.
 */
function importsOf(from: string): Import[] {
  const source = readFileSync(from, "utf8");
  const statements = [
    ...source.matchAll(/^(?:import|export) ([^;]*?)from "([^"]+)";/gm),
  ].map(([, clause = "", name = ""]) => ({
    name,
    type: typesOnly(clause),
  }));
  const bare = [...source.matchAll(/^import "([^"]+)";/gm)].map(([, name = ""]) => ({
    name,
    type: false,
  }));
  // what is loaded when it is needed makes no cycle at start
  const lazy = [...source.matchAll(/import\("([^"]+)"\)/g)].map(([, name = ""]) => ({
    name,
    type: true,
    lazy: true,
  }));
  return [...statements, ...bare, ...lazy].map(({ name, ...how }) => ({
    from,
    to: name.startsWith(".") ? join(dirname(from), name) : name,
    ...how,
  }));
}

function typesOnly(clause: string): boolean {
  if (clause.startsWith("type ")) return true;
  const names = /^\{(.*)\} $/s
    .exec(clause)?.[1]
    ?.split(",")
    .filter((name) => name.trim() !== "");
  return names !== undefined && names.every((name) => name.trim().startsWith("type "));
}

/** Each cycle once, found by walking in depth. */
function cyclesIn(edges: Import[]): string[][] {
  const next = Map.groupBy(edges, ({ from }) => from);
  const state = new Map<string, "open" | "done">();
  const found: string[][] = [];
  const walk = (file: string, path: string[]) => {
    if (state.get(file) === "done") return;
    if (state.get(file) === "open")
      return void found.push([...path.slice(path.indexOf(file)), file]);
    state.set(file, "open");
    for (const { to } of next.get(file) ?? []) walk(to, [...path, file]);
    state.set(file, "done");
  };
  for (const file of next.keys()) walk(file, []);
  return found;
}
