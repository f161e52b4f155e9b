import { createHash } from "node:crypto";
import fc from "fast-check";
import type { z } from "zod";
import type { AnyRoute } from "../../src/platform/http/route.ts";
import { waysInto } from "../../src/platform/http/route.ts";
import { loadContracts } from "../../src/server/load-contracts.ts";
import { fittingValues, type OpenApiDocument } from "./fitting-values.ts";
import { HOSTILE_JSON, HOSTILE_TEXTS } from "./hostile-inputs.ts";

export interface HostileRequest {
  /** The route and the input. */
  name: string;
  method: string;
  path: string;
  /** Built when it is sent: all of them together would take gigabytes. */
  body(): string | FormData | undefined;
}

/** Ids of existing resources, by the part of the path before them. */
type Ids = Record<string, string>;

/** A server refuses longer request lines. */
const MAX_QUERY_CHARACTERS = 8_000;
/** Fields of a body that accept nearly any JSON. */
const JSON_FIELD =
  /schema|parameters|arguments|data|config|details|tweaks|values|metadata|content/i;
const PLACE = "\u0001hostile json\u0001";

/** Every hostile input at every route that accepts text or a body from a user. */
export async function hostileRequests(
  document: OpenApiDocument,
  ids: Ids,
): Promise<HostileRequest[]> {
  const contracts = await loadContracts();
  const routes = contracts
    .flatMap(({ contract }) => Object.values(contract))
    .filter(mayCall);
  return routes.flatMap((route) => [
    ...Object.entries(HOSTILE_TEXTS).flatMap(([name, text]) => withText(route, name, text)),
    ...Object.entries(HOSTILE_JSON).flatMap(([name, json]) => withJson(route, name, json)),
  ]);

  function withText(route: AnyRoute, input: string, text: string): HostileRequest[] {
    const path = pathOf(route, ids) + queryOf(route, text);
    if (route.upload) return [requestOf(route, input, path, () => formOf(route, text))];
    if (route.body)
      return [requestOf(route, input, path, () => JSON.stringify(bodyOf(route, text)))];
    return path.includes("?") ? [requestOf(route, input, path, () => undefined)] : [];
  }

  function withJson(route: AnyRoute, input: string, json: string): HostileRequest[] {
    if (!route.body) return [];
    const body = () => placeJson(bodyOf(route, "text"), json);
    return [requestOf(route, input, pathOf(route, ids), body)];
  }

  function bodyOf(route: AnyRoute, text: string): unknown {
    const path = route.path.replaceAll(/:(\w+)/g, "{$1}");
    const content = document.paths[path]?.[route.method]?.requestBody?.content;
    const schema = content?.["application/json"]?.schema ?? {};
    // a few texts fill a body
    const cut = text.slice(0, (route.maxBody ?? MEGABYTE) / 5);
    return fc.sample(fittingValues(document, fc.constant(cut))(schema), {
      numRuns: 1,
      seed: 1,
    })[0];
  }
}

const MEGABYTE = 1024 * 1024;

function mayCall(route: AnyRoute): boolean {
  return waysInto(route).some((way) => ["public", "jwt", "session"].includes(way));
}

function requestOf(
  { method, path: pattern }: AnyRoute,
  input: string,
  path: string,
  body: HostileRequest["body"],
): HostileRequest {
  const verb = method.toUpperCase();
  return { name: `${verb} ${pattern} with ${input}`, method: verb, path, body };
}

/** Unknown resources get an id that no resource has. */
function pathOf({ path }: AnyRoute, ids: Ids): string {
  return path.replaceAll(/(\w+)\/:\w+/g, (_, before: string) => {
    return `${before}/${ids[before] ?? "00000000-0000-4000-8000-000000000000"}`;
  });
}

function queryOf({ query }: AnyRoute, text: string): string {
  const shape = query && "shape" in query ? Object.entries(query.shape as object) : [];
  const texts = shape.filter(
    ([, schema]) => (schema as z.ZodType).safeParse("no such word").success,
  );
  if (texts.length === 0) return "";
  const cut = text.slice(0, MAX_QUERY_CHARACTERS / texts.length / 3).toWellFormed();
  return `?${texts.map(([name]) => `${name}=${encodeURIComponent(cut)}`).join("&")}`;
}

function formOf({ upload }: AnyRoute, text: string): FormData | string {
  if (!upload?.as.includes("multipart")) return text;
  const form = new FormData();
  form.set("file", new File([text], "hostile.md", { type: "text/markdown" }));
  return form;
}

/** Puts the JSON into the fields that accept it, and into an unknown one. */
function placeJson(body: unknown, json: string): string {
  const marked = JSON.stringify(body, (key, value: unknown) =>
    JSON_FIELD.test(key) ? PLACE : value,
  );
  const text = marked?.startsWith("{") ? marked : "{}";
  const more = `"unknown":${JSON.stringify(PLACE)}`;
  const whole = text === "{}" ? `{${more}}` : `${text.slice(0, -1)},${more}}`;
  return whole.replaceAll(JSON.stringify(PLACE), () => json);
}

/** Returns the same part of all requests in each run. */
export function sampleOf(requests: HostileRequest[], oneIn: number): HostileRequest[] {
  return requests.filter(({ name }) => {
    const hash = createHash("sha256").update(name).digest().readUInt32BE();
    return hash % oneIn === 0;
  });
}
