import { setImmediate } from "node:timers/promises";
import { type Emit, pushed, Reader } from "../batches.ts";
import { contextHeaders } from "./context.ts";
import { Deadline } from "./deadline.ts";
import {
  ApiError,
  BadGateway,
  type ErrorParams,
  GatewayTimeout,
  Unavailable,
} from "./errors.ts";
import { type EventSource, eventsOf } from "./event-source.ts";
import { readJson } from "./read-json.ts";
import type { AnyRoute, RouteEvent, RouteInput, RouteOk } from "./route.ts";

/** Sends a request to a service: in the same process by a function call, otherwise over HTTP. */
export interface Fetch {
  (request: Request): Promise<Response>;
  /** The name of the service in error messages: "The users service". */
  label?: string;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /**
   * For `call`: the time until the whole answer. For `stream`: the time until the first byte, and
   * between bytes. Default 60,000.
   */
  timeoutMs?: number;
  headers?: Record<string, string>;
  /** The body of a `raw` route. */
  bytes?: Uint8Array<ArrayBuffer> | undefined;
}

const DEFAULT_TIMEOUT_MS = 60_000;
/** Of another service. The largest answer has 100 vectors of 4,096 dimensions. */
const MAX_ANSWER = { maxBytes: 64 * 1024 * 1024, maxValues: 500_000 };
const LARGE_BODY_BYTES = 1024 * 1024;
const MAX_ERROR = { maxBytes: 1024 * 1024 };

/**
 * Sends one request to a route and returns its whole, validated answer.
 * @throws ApiError as the service answered it, Unavailable when it cannot be reached,
 * GatewayTimeout when it is too slow, BadGateway when its answer breaks the contract.
 */
export async function call<R extends AnyRoute>(
  fetch: Fetch,
  route: R,
  input: RouteInput<R>,
  options: CallOptions = {},
): Promise<RouteOk<R>> {
  const clock = new Deadline(options.signal, options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  try {
    const response = await send(fetch, route, input, clock.signal, options);
    if (route.ok === undefined) {
      await response.body?.cancel();
      return undefined as RouteOk<R>; // a route without `ok` has the type undefined
    }
    return validate(
      route.ok,
      nameOf(fetch, route),
      await readJson(response, MAX_ANSWER),
    ) as RouteOk<R>; // parsed by the schema that the type comes from
  } catch (error) {
    throw toCallError(error, clock, nameOf(fetch, route), options);
  } finally {
    clock.stop();
  }
}

/**
 * Sends one request to a route that answers with a file, and returns the answer with its body to be
 * read; `timeoutMs` is the time until it begins.
 * @throws the same errors as `call`.
 */
export async function callForFile<R extends AnyRoute>(
  fetch: Fetch,
  route: R,
  input: RouteInput<R>,
  options: CallOptions = {},
): Promise<Response> {
  const clock = new Deadline(options.signal, options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  try {
    return await send(fetch, route, input, clock.signal, options);
  } catch (error) {
    throw toCallError(error, clock, nameOf(fetch, route), options);
  } finally {
    clock.stop();
  }
}

/**
 * Sends one request, and passes on its events in the batches in which they arrive. Ending the
 * iteration ends the request.
 * @throws the same errors as `call`, before the first batch or between two.
 */
export function stream<R extends AnyRoute>(
  fetch: Fetch,
  route: R,
  input: RouteInput<R>,
  options: CallOptions = {},
): AsyncIterable<RouteEvent<R>[]> {
  return pushed((emit) => deliverStream(fetch, route, input, options, emit));
}

async function deliverStream<R extends AnyRoute>(
  fetch: Fetch,
  route: R,
  input: RouteInput<R>,
  options: CallOptions,
  emit: Emit<RouteEvent<R>[]>,
): Promise<void> {
  const clock = new Deadline(options.signal, options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  const name = nameOf(fetch, route);
  let source: EventSource | undefined;
  const reader = new Reader(emit);
  const abort = () => source?.cancel();
  clock.signal.addEventListener("abort", abort, { once: true });
  try {
    const response = await send(fetch, route, input, clock.signal, options);
    source = eventsOf(response, (event) => validate(route.events, name, event));
    if (source === undefined)
      throw new BadGateway(
        "upstream_invalid",
        `${name} answered without a body. Check its address and version.`,
      );
    const { isKeptAlive } = source;
    // it would say that it goes on
    if (isKeptAlive) clock.pause();
    await source.deliver((events) => {
      clock.signal.throwIfAborted();
      clock.extend();
      if (events.length === 0) return undefined;
      const wait = reader.take(events as RouteEvent<R>[]); // parsed by the schema that the type comes from, or made by it
      if (!wait || isKeptAlive) return wait;
      clock.pause();
      return wait.then(() => clock.restart());
    });
    clock.signal.throwIfAborted();
  } catch (error) {
    // the peer is not to blame for what its reader does
    if (reader.failure && !clock.signal.aborted) throw reader.failure.error;
    throw toCallError(error, clock, nameOf(fetch, route), options);
  } finally {
    clock.stop();
    source?.cancel();
  }
}

/**
 * Builds the request for a route and its input. The host is a placeholder that `Fetch` replaces.
 */
function requestFor<R extends AnyRoute>(
  route: R,
  input: RouteInput<R>,
  signal?: AbortSignal,
  { headers, bytes }: Pick<CallOptions, "headers" | "bytes"> = {},
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
        ...(bytes && {
          "content-type": "application/octet-stream",
          "content-length": String(bytes.byteLength),
        }),
        ...contextHeaders(),
        ...headers,
      },
      ...(text !== undefined && { body: text }),
      ...(bytes && { body: bytes }),
    },
  );
  // passed to the constructor, the signal would be wrapped in another, which costs more than
  // everything else here
  return signal ? Object.defineProperty(request, "signal", { value: signal }) : request;
}

async function send<R extends AnyRoute>(
  fetch: Fetch,
  route: R,
  input: RouteInput<R>,
  signal: AbortSignal,
  options: Pick<CallOptions, "headers" | "bytes">,
) {
  signal.throwIfAborted();
  const request = requestFor(route, input, signal, options);
  // this turn of the event loop serialized the body; a service of this process parses it in another
  if (Number(request.headers.get("content-length")) > LARGE_BODY_BYTES)
    await setImmediate();
  const response = await fetch(request);
  if (!response.ok) throw await readFailure(response, nameOf(fetch, route));
  return response;
}

async function readFailure(response: Response, name: string): Promise<ApiError> {
  // a page of a proxy, or cut off: the status says the rest
  const body: unknown = await readJson(response, MAX_ERROR).catch(() => undefined);
  if (
    typeof body !== "object" ||
    body === null ||
    !("error" in body) ||
    !("code" in body)
  ) {
    return new BadGateway(
      "upstream_invalid",
      `${name} answered ${response.status} in an unknown form. Check its address and version.`,
    );
  }
  const wait = response.headers.get("retry-after");
  return new ApiError(response.status, String(body.code), String(body.error), {
    details: "details" in body ? body.details : undefined,
    params: "params" in body ? readParams(body.params) : undefined,
    headers: wait ? { "retry-after": wait } : {},
  });
}

function readParams(params: unknown): ErrorParams | undefined {
  if (typeof params !== "object" || params === null) return undefined;
  const flat = Object.entries(params).filter(([, value]) =>
    ["string", "number"].includes(typeof value),
  );
  return Object.fromEntries(flat) as ErrorParams; // only such values are left
}

function validate(
  schema: AnyRoute["ok"] | AnyRoute["events"],
  name: string,
  value: unknown,
): unknown {
  if (schema === undefined) return value;
  const parsed = schema.safeParse(value);
  if (!parsed.success)
    throw new BadGateway(
      "upstream_invalid",
      `${name} gave an answer that its contract does not allow. Check that both run the same version.`,
      { cause: parsed.error },
    );
  return parsed.data;
}

/** Names the service and the route in error messages. */
function nameOf({ label = "The server" }: Fetch, { method, path }: AnyRoute): string {
  return `${label} (${method.toUpperCase()} ${path})`;
}

/** Converts a failed call into the error for its caller. */
function toCallError(
  error: unknown,
  clock: Deadline,
  name: string,
  { signal, timeoutMs = DEFAULT_TIMEOUT_MS }: CallOptions,
): unknown {
  if (clock.late) {
    return new GatewayTimeout(
      "upstream_timeout",
      `${name} did not answer within ${timeoutMs / 1000} s. Try again; if this repeats, ask the operator to check its health and log.`,
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
