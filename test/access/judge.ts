import type { AnyRoute } from "../../src/platform/http/route.ts";
import type { Answer, Asked } from "./row.ts";
import type { World } from "./world.ts";

/** The parts of an answer that the matrix compares. */
export interface Outcome {
  status: number;
  text: string;
}

const FIRST_PIECE_MS = 5_000;

/**
 * Sends the request of a case with these credentials to the replica whose turn it is. Of an endless
 * stream it reads the first piece.
 */
export async function send(
  world: World,
  route: AnyRoute,
  asked: Asked,
  headers: Record<string, string>,
): Promise<Outcome> {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = asked.params?.[name];
    if (value === undefined)
      throw new Error(`The case does not say what :${name} of ${route.path} is.`);
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams(asked.query).toString();
  const form = asked.form && formOf(asked.form);
  const response = await fetch(`${world.nextUrl()}${path}${query && `?${query}`}`, {
    method: route.method.toUpperCase(),
    redirect: "manual",
    headers: {
      ...(asked.body !== undefined && { "content-type": "application/json" }),
      ...asked.headers,
      ...headers,
    },
    ...(asked.body !== undefined && { body: asked.raw ?? JSON.stringify(asked.body) }),
    ...(form && { body: form }),
  });
  return { status: response.status, text: await beginning(response) };
}

function formOf(parts: Record<string, string | File>): FormData {
  const form = new FormData();
  for (const [name, part] of Object.entries(parts)) form.append(name, part);
  return form;
}

async function beginning(response: Response): Promise<string> {
  if (!response.headers.get("content-type")?.startsWith("text/event-stream"))
    return response.text();
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const late = AbortSignal.timeout(FIRST_PIECE_MS);
  const first = await Promise.race([
    reader?.read(),
    new Promise<undefined>((resolve) =>
      late.addEventListener("abort", () => resolve(undefined), { once: true }),
    ),
  ]);
  await reader?.cancel();
  return first?.value ?? "";
}

const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g;

/** Returns the same request with unknown ids, except for `kept` ones, and all ids of both. */
export function inventing(
  asked: Asked,
  kept: readonly string[],
): { asked: Asked; ids: Set<string> } {
  const ids = new Set<string>();
  const invent = (text: string) =>
    text.replace(UUID, (id) => {
      if (kept.includes(id)) return id;
      const other = crypto.randomUUID();
      ids.add(id).add(other);
      return other;
    });
  const { form, ...rest } = asked;
  const parts =
    form &&
    Object.entries(form).map(
      ([name, part]) => [name, typeof part === "string" ? invent(part) : part] as const,
    );
  return {
    asked: {
      ...(JSON.parse(invent(JSON.stringify(rest))) as Asked),
      ...(parts && { form: Object.fromEntries(parts) }),
    },
    ids,
  }; // of the same shape
}

/** Returns an outcome without the parts that differ between requests. */
export function withoutIds({ status, text }: Outcome, ids: ReadonlySet<string>): Outcome {
  const bare = [...ids].reduce((shown, id) => shown.replaceAll(id, "ID"), text);
  return { status, text: bare.replace(/"requestId":"[^"]*"/, "") };
}

/** Returns what is wrong with an outcome, or undefined. */
export function wrongWith(
  { status, text }: Outcome,
  expected: Answer,
  mark: string | undefined,
): string | undefined {
  const holds = mark !== undefined && text.includes(mark);
  const told = `${status}${mark === undefined ? "" : holds ? " with it" : " without it"}: ${text.slice(0, 300)}`;
  return isRight(expected, status, text, holds)
    ? undefined
    : `should get ${expected}, got ${told}`;
}

function isRight(expected: Answer, status: number, text: string, holds: boolean): boolean {
  if (expected === "let through") return status < 500 && ![401, 403, 404].includes(status);
  if (status >= 200 && status < 300)
    return (
      expected === status ||
      expected === "yes" ||
      expected === (holds ? "with it" : "without it")
    );
  const [wanted, code] = String(expected).split(" ");
  return (
    wanted === String(status) &&
    !holds &&
    (code === undefined || text.includes(`"code":"${code}"`))
  );
}
