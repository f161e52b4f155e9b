import { setTimeout as sleep } from "node:timers/promises";
import { traceHeaders } from "../../platform/http/context.ts";
import { BadGateway } from "../../platform/http/errors.ts";
import {
  byteLimit,
  eventLimit,
  jsonLimit,
  type Watch,
  watched,
} from "../../platform/outgoing/bounded-body.ts";
import type { Outgoing } from "../../platform/outgoing/outgoing.ts";
import { MAX_MESSAGE_VALUES } from "./read-messages.ts";
import { repairText } from "./repair-message.ts";
import type { Credential } from "./sign-in/credential.ts";

/** Larger than anything that a model could read. */
export const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/**
 * A schema that is nested too deep is left out of the list of tools. It must not end the session of
 * its server, so the limit here is higher.
 */
const LIMITS = { maxValues: MAX_MESSAGE_VALUES, maxDepth: 10_000 };

/** Streams that a server ends at once are not opened again sooner, whatever `retry` it names. */
const MIN_STREAM_INTERVAL_MS = 1_000;
const RATE_INTERVAL_MS = 60_000;

/**
 * `fetch` for the SDK's transport to one tool server: to permitted addresses only, with limits on
 * the unpacked answers. The stream of notifications is as long as its session, so the limit is on
 * each event; after an event beyond the limit, this stream is not opened again.
 */
export function toolFetch(
  outgoing: Outgoing,
  credential?: Credential | undefined,
  wait: (ms: number, signal?: AbortSignal | null) => Promise<void> = waitFor,
): (url: string | URL, init?: RequestInit) => Promise<Response> {
  let refusesNotifications = false;
  let streamAt = Number.NEGATIVE_INFINITY;
  return async (url, init) => {
    const isNotificationStream = init?.method === "GET";
    // the answer of a server without such a stream
    if (isNotificationStream && refusesNotifications)
      return new Response(null, { status: 405 });
    if (isNotificationStream) {
      const now = performance.now();
      streamAt = Math.max(now, streamAt + MIN_STREAM_INTERVAL_MS);
      if (streamAt > now) await wait(streamAt - now, init.signal);
    }
    const headers = {
      ...Object.fromEntries(new Headers(init?.headers)),
      ...traceHeaders(),
    };
    const response = await fetchAs(credential, outgoing, url, { ...init, headers });
    const fail = () => {
      refusesNotifications ||= isNotificationStream;
      return tooLarge();
    };
    const isEventStream = response.headers
      .get("content-type")
      ?.includes("text/event-stream");
    const limit = isEventStream ? eventLimit : jsonLimit;
    const limited = watched(response, limit(MAX_ANSWER_BYTES, fail, LIMITS));
    if (isNotificationStream && response.ok)
      return repaired(watched(limited, rateLimit(fail)), true);
    const bounded = watched(limited, byteLimit(MAX_ANSWER_BYTES, fail));
    return response.ok ? repaired(bounded, isEventStream === true) : bounded;
  };
}

/** Sends a request with an account, and again where its token was renewed. */
async function fetchAs(
  credential: Credential | undefined,
  outgoing: Outgoing,
  url: string | URL,
  init: RequestInit & { headers: Record<string, string> },
): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const account = (await credential?.headers()) ?? {};
    // an administrator's own headers count
    const headers = { ...account, ...init.headers };
    const response = await outgoing.fetch(url, { ...init, headers });
    const { status } = response;
    if (!credential || (status !== 401 && status !== 403)) return response;
    const challenge = response.headers.get("www-authenticate");
    const refusal = { status, challenge, sent: account };
    if (!(await credential.refused(refusal, attempt))) return response;
    await response.body?.cancel();
  }
}

/** A stream without an end may send this much in each minute. */
function rateLimit(failure: () => Error): Watch {
  let left = MAX_ANSWER_BYTES;
  let since = performance.now();
  return (chunk) => {
    const now = performance.now();
    if (now - since > RATE_INTERVAL_MS) [left, since] = [MAX_ANSWER_BYTES, now];
    left -= chunk.byteLength;
    if (left < 0) throw failure();
  };
}

/** A body of messages as the protocol wants them: see `repairMessage`. */
function repaired(response: Response, isEventStream: boolean): Response {
  const { body, status, statusText } = response;
  const isEmpty = body === null || status === 202 || status === 204;
  if (isEmpty) return response;
  const headers = new Headers(response.headers);
  const isUnnamed = !/json|event-stream/i.test(headers.get("content-type") ?? "");
  if (isUnnamed) return response;
  headers.set("content-type", isEventStream ? "text/event-stream" : "application/json");
  const text = new TextDecoder();
  let rest = "";
  const repair = (line: string) =>
    isEventStream
      ? line.replace(
          /^data: ?(?=[[{])(.*)/,
          (_, data: string) => `data: ${repairText(data, LIMITS)}`,
        )
      : line;
  const stream = body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        rest += text.decode(chunk, { stream: true });
        if (!isEventStream) return;
        const lines = rest.split("\n");
        rest = lines.pop() ?? "";
        const whole = lines.map((line) => `${repair(line)}\n`).join("");
        if (whole) controller.enqueue(Buffer.from(whole));
      },
      flush(controller) {
        // an event may end with its stream
        const last = isEventStream ? `${repair(rest)}\n\n` : repairText(rest, LIMITS);
        controller.enqueue(Buffer.from(last));
      },
    }),
  );
  return new Response(stream, { status, statusText, headers });
}

export function tooLarge(): BadGateway {
  return new BadGateway(
    "tool_result_too_large",
    `The tool server's answer is larger than ${MAX_ANSWER_BYTES} bytes, or holds too many ` +
      "values. Ask it for less.",
  );
}

function waitFor(ms: number, signal?: AbortSignal | null): Promise<void> {
  return sleep(ms, undefined, signal ? { signal } : {});
}
