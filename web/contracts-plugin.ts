import { relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Plugin } from "vite";

/** The contracts of the services and of the server. */
const CONTRACT = /\/src\/(?:services\/.+\/contract[^/]*|server\/contract)\.ts$/;

/**
 * Contracts carry zod schemas, which the browser does not need: the server validates. Each contract
 * is evaluated while building, and what reaches the browser is the method, path and stream of its
 * routes, the options of its enums, and plain constants. Types stay whole.
 */
export function slimContracts(): Plugin {
  return {
    name: "parlance:contracts",
    enforce: "pre",
    async load(id) {
      const path = id.split("?")[0] ?? id;
      if (!CONTRACT.test(path)) return null;
      this.addWatchFile(path);
      const exports = (await import(pathToFileURL(path).href)) as Record<string, unknown>;
      return slimModule(exports, relative(resolve(import.meta.dirname, ".."), path));
    },
  };
}

/** The source of a module with what the browser may use of these exports. */
export function slimModule(exports: Record<string, unknown>, path: string): string {
  const lines = Object.entries(exports).flatMap(([name, value]) => {
    const slim = slimValue(value);
    return slim === undefined ? [] : [`export const ${name} = ${JSON.stringify(slim)};`];
  });
  return [`// ${path}`, ...lines, "export {};"].join("\n");
}

function slimValue(value: unknown): unknown {
  if (isConstant(value) || isTableOfConstants(value)) return value;
  if (typeof value !== "object" || value === null) return undefined;
  if ("options" in value && isConstant(value.options)) return { options: value.options };
  if (isRoute(value)) return slimRoute(value);
  const routes = Object.entries(value).filter(([, entry]) => isRoute(entry));
  if (routes.length === 0) return undefined;
  return Object.fromEntries(
    routes.map(([name, entry]) => [name, slimRoute(entry as SlimRoute)]),
  );
}

interface SlimRoute {
  method: string;
  path: string;
  stream?: string;
}

function isRoute(value: unknown): value is SlimRoute {
  return (
    typeof value === "object" &&
    value !== null &&
    "method" in value &&
    "path" in value &&
    typeof value.path === "string"
  );
}

function slimRoute({ method, path, stream }: SlimRoute): SlimRoute {
  return { method, path, ...(stream && { stream }) };
}

/** A plain object, not a schema, whose values are constants. */
function isTableOfConstants(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return (
    Object.getPrototypeOf(value) === Object.prototype &&
    Object.values(value).every(isConstant)
  );
}

function isConstant(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isConstant);
  return ["string", "number", "boolean"].includes(typeof value);
}
