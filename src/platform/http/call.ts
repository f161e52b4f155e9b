import { setImmediate } from "node:timers/promises";
import { traceHeaders } from "./context.ts";
import { Deadline } from "./deadline.ts";
import { ApiError, BadGateway, GatewayTimeout, Unavailable } from "./errors.ts";
import { ndjsonParser, sseParser } from "./parse-stream.ts";
import { readJson } from "./read-json.ts";
import type { TextSource } from "./joined-text.ts";
import type { AnyRoute, RouteEvent, RouteInput, RouteOk } from "./route.ts";
import { StreamResponse } from "./stream.ts";

/** A service, or the way to one: the same function in process and over HTTP. */
export interface Fetch {
  (request: Request): Promise<Response>;
  /** Who answers, as messages name it: "The users service". */
  label?: string;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /**
   * For `call`: until the whole answer. For `stream`: until the first byte, and between bytes.
   * Default 60,000.
   */
  timeoutMs?: number;
  headers?: Record<string, string>;
}

const DEFAULT_TIMEOUT = 60_000;
/** Of a sibling: 100 vectors of 4,096 dimensions are the most that one answers. */
const MAX_ANSWER = { maxBytes: 64 * 1024 * 1024, maxValues: 500_000 };
const LARGE_BODY_BYTES = 1024 * 1024;
const MAX_ERROR = { maxBytes: 1024 * 1024 };

/**
 * One request to a route and its whole, validated answer.
 * @throws ApiError as the service answered it; `Unavailable` when it cannot be reached,
 * `GatewayTimeout` when it is too slow, `BadGateway` when its answer breaks the contract.
 */
export async function call<R extends AnyRoute>(
  fetch: Fetch,
  route: R,
  input: RouteInput<R>,
  options: CallOptions = {},
): Promise<RouteOk<R>> {
  const clock = new Deadline(options.signal, options.timeoutMs ?? DEFAULT_TIMEOUT);
  try {
    const response = await send(fetch, route, input, clock.signal, options.headers);
    if (route.ok === undefined) {
      await response.body?.cancel();
      return undefined as RouteOk<R>; // a route without `ok` has the type undefined
    }
    return checked(
      route.ok,
      nameOf(fetch, route),
      await readJson(response, MAX_ANSWER),
    ) as RouteOk<R>; // parsed by the schema that the type comes from
  } catch (error) {
    throw explained(error, clock, nameOf(fetch, route), options);
  } finally {
    clock.stop();
  }
}

/**
 * One request and its stream of events, in the batches in which they arrive. Leaving the loop ends
 * the request.
 * @throws the same as `call`, before the first batch or between two.
 */
export async function* stream<R extends AnyRoute>(
  fetch: Fetch,
  route: R,
  input: RouteInput<R>,
  options: CallOptions = {},
): AsyncGenerator<RouteEvent<R>[]> {
  const clock = new Deadline(options.signal, options.timeoutMs ?? DEFAULT_TIMEOUT);
  const name = nameOf(fetch, route);
  let source: TextSource | undefined;
  const abort = () => source?.cancel();
  clock.signal.addEventListener("abort", abort, { once: true });
  try {
    const response = await send(fetch, route, input, clock.signal, options.headers);
    const parser = response.headers.get("content-type")?.includes("ndjson")
      ? ndjsonParser()
      : sseParser();
    source = textOf(response);
    if (source === undefined)
      throw new BadGateway("upstream_invalid", `${name} answered without a body.`);
    while (true) {
      clock.restart();
      const text = await source.next();
      clock.signal.throwIfAborted();
      if (text === undefined) return;
      clock.pause();
      const events = parser.push(text);
      if (events.length === 0) continue;
      // parsed by the schema that the type comes from
      yield events.map((event) => checked(route.events, name, event)) as RouteEvent<R>[];
    }
  } catch (error) {
    throw explained(error, clock, nameOf(fetch, route), options);
  } finally {
    clock.stop();
    source?.cancel();
  }
}

/** A stream of this process gives its text as it is; any other comes as bytes. */
function textOf(response: Response): TextSource | undefined {
  if (response instanceof StreamResponse) return response;
  const reader = response.body?.getReader();
  if (reader === undefined) return undefined;
  const decoder = new TextDecoder();
  return {
    async next() {
      const { done, value } = await reader.read();
      return done ? undefined : decoder.decode(value, { stream: true });
    },
    cancel: () => void reader.cancel().catch(() => {}),
  };
}

/**
 * The request that a route and its input make; the host is a placeholder that the `Fetch` replaces.
 */
export function requestFor<R extends AnyRoute>(
  route: R,
  input: RouteInput<R>,
  signal?: AbortSignal,
  headers?: Record<string, string>,
): Request {
  const {
    params = {},
    query = {},
    body,
  } = input as {
    params?: Record<string, unknown>;
    query?: Record<string, unknown>;
    body?: unknown;
  };
  const path = route.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) search.set(name, String(value));
  const text = body === undefined ? undefined : JSON.stringify(body);
  const request = new Request(
    `http://parlance.internal${path}${search.size > 0 ? `?${search}` : ""}`,
    {
      method: route.method.toUpperCase(),
      headers: {
        ...(text !== undefined && {
          "content-type": "application/json",
          "content-length": String(Buffer.byteLength(text)),
        }),
        ...traceHeaders(),
        ...headers,
      },
      ...(text !== undefined && { body: text }),
    },
  );
  // given to the constructor it would be followed by another signal, at more cost than all the rest
  return signal ? Object.defineProperty(request, "signal", { value: signal }) : request;
}

async function send<R extends AnyRoute>(
  fetch: Fetch,
  route: R,
  input: RouteInput<R>,
  signal: AbortSignal,
  headers?: Record<string, string>,
) {
  signal.throwIfAborted();
  const request = requestFor(route, input, signal, headers);
  // written in this turn of the event loop, and read by a sibling in another
  if (Number(request.headers.get("content-length")) > LARGE_BODY_BYTES) await setImmediate();
  const response = await fetch(request);
  if (!response.ok) throw await failureOf(response, nameOf(fetch, route));
  return response;
}

async function failureOf(response: Response, name: string): Promise<ApiError> {
  const body: unknown = await readJson(response, MAX_ERROR).catch(() => undefined);
  if (typeof body !== "object" || body === null || !("error" in body) || !("code" in body)) {
    return new BadGateway(
      "upstream_invalid",
      `${name} answered ${response.status} in a form that is not ours. Check its address and version.`,
    );
  }
  const wait = response.headers.get("retry-after");
  return new ApiError(response.status, String(body.code), String(body.error), {
    details: "details" in body ? body.details : undefined,
    headers: wait ? { "retry-after": wait } : {},
  });
}

function checked(
  schema: AnyRoute["ok"] | AnyRoute["events"],
  name: string,
  value: unknown,
): unknown {
  if (schema === undefined) return value;
  const parsed = schema.safeParse(value);
  if (!parsed.success)
    throw new BadGateway(
      "upstream_invalid",
      `${name} answered what its contract does not allow. Check that both run the same version.`,
      { cause: parsed.error },
    );
  return parsed.data;
}

/** Who answers a call, and the call, as messages name them. */
function nameOf({ label = "The server" }: Fetch, { method, path }: AnyRoute): string {
  return `${label} (${method.toUpperCase()} ${path})`;
}

/** The error for the caller of a route that failed on the way. */
function explained(
  error: unknown,
  clock: Deadline,
  name: string,
  { signal, timeoutMs = DEFAULT_TIMEOUT }: CallOptions,
): unknown {
  if (clock.late) {
    return new GatewayTimeout(
      "upstream_timeout",
      `${name} did not answer within ${timeoutMs / 1000} s. Try again; if it stays, ask the operator to look at its health and log.`,
    );
  }
  if (signal?.aborted) return signal.reason;
  if (error instanceof ApiError) return error;
  if (error instanceof SyntaxError) {
    return new BadGateway(
      "upstream_invalid",
      `${name} answered with invalid JSON. Check its address and version.`,
      { cause: error },
    );
  }
  return new Unavailable(
    "service_unreachable",
    `${name} cannot be reached. Check that it runs and that its address is right.`,
    5_000,
    { cause: error },
  );
}
