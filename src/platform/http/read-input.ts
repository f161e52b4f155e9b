import type { z } from "zod";
import { BadRequest, UnsupportedType } from "./errors.ts";
import { readJsonText } from "./read-body.ts";
import type { AnyRoute } from "./route.ts";

const DEFAULT_MAX_BODY_BYTES = 1024 * 1024;

/**
 * Returns the params, query and body of a request, validated by its route.
 * @throws BadRequest with `details: [{path, message, code}]`, UnsupportedType, and what
 * `readJsonText` throws.
 */
export async function readInput(
  route: AnyRoute,
  request: Request,
  params: Record<string, string>,
): Promise<{ params: unknown; query: unknown; body: unknown }> {
  return {
    params: route.params ? validate(route.params, params, "params") : undefined,
    query: route.query ? validate(route.query, queryOf(request), "query") : undefined,
    body: route.body
      ? validate(route.body, await readJson(request, route), "body")
      : undefined,
  };
}

function queryOf(request: Request): Record<string, string> {
  const start = request.url.indexOf("?");
  return start < 0 ? {} : Object.fromEntries(new URLSearchParams(request.url.slice(start)));
}

function validate(schema: z.ZodType, value: unknown, where: string): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.flatMap(issuesOfMeantOption).slice(0, 50);
  const details = issues.map(({ path, message, code }) => ({
    path: [where, ...path].join("."),
    message,
    code,
  }));
  const first = details[0];
  throw new BadRequest(
    "validation_failed",
    `The request is not valid: ${first ? `${first.path}: ${first.message}` : where}.`,
    { params: { path: first?.path ?? where }, details },
  );
}

/** What is wrong within a value of several kinds, where only one kind has its type. */
function issuesOfMeantOption(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== "invalid_union") return [issue];
  const meant = issue.errors.filter(
    (issues) => !issues.some(({ code, path }) => code === "invalid_type" && !path.length),
  );
  const [only] = meant;
  if (!only || meant.length > 1) return [issue];
  return only
    .map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }))
    .flatMap(issuesOfMeantOption);
}

async function readJson(
  request: Request,
  { maxBody: maxBytes = DEFAULT_MAX_BODY_BYTES, maxValues }: AnyRoute,
): Promise<unknown> {
  const type = request.headers.get("content-type") ?? "";
  const isJson = /^application\/(?:[\w.+-]+\+)?json\b/i.test(type);
  // the schema decides whether a request may have no body; some clients name JSON for none
  if ((type === "" || isJson) && isEmpty(request)) return undefined;
  if (!isJson) {
    throw new UnsupportedType(
      "json_expected",
      'Send the body as JSON, with the header "Content-Type: application/json".',
    );
  }
  const text = await readJsonText(request, { maxBytes, ...(maxValues && { maxValues }) });
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new BadRequest(
      "json_invalid",
      "The body is not valid JSON. Check quotes, commas and encoding (UTF-8).",
    );
  }
}

function isEmpty({ headers }: Request): boolean {
  return (
    !headers.has("transfer-encoding") && Number(headers.get("content-length") ?? 0) === 0
  );
}
