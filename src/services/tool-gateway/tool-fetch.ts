import { traceHeaders } from "../../platform/http/context.ts";
import { BadGateway } from "../../platform/http/errors.ts";
import { byteLimit, eventLimit, jsonLimit, watched } from "../../platform/outgoing/bounded-body.ts";
import type { Outgoing } from "../../platform/outgoing/outgoing.ts";
import { MAX_MESSAGE_VALUES } from "./read-messages.ts";

/** Larger than anything that a model could read. */
export const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/**
 * A schema that is nested too deep is left out of a list, and does not end its server's session.
 */
const LIMITS = { maxValues: MAX_MESSAGE_VALUES, maxDepth: 10_000 };

/**
 * The way to one tool server for the SDK's transport: guarded, and with answers bounded by what
 * they hold when unpacked. The stream of notifications is as long as its session: there each event
 * is bounded, and a server that breaks the bound is listened to no more.
 */
export function toolFetch(
  outgoing: Outgoing,
): (url: string | URL, init?: RequestInit) => Promise<Response> {
  let deaf = false;
  return async (url, init) => {
    const listens = init?.method === "GET";
    // as a server answers that has no such stream
    if (listens && deaf) return new Response(null, { status: 405 });
    const headers = { ...Object.fromEntries(new Headers(init?.headers)), ...traceHeaders() };
    const response = await outgoing.fetch(url, { ...init, headers });
    const refuse = () => {
      deaf ||= listens;
      return tooLarge();
    };
    const streams = response.headers.get("content-type")?.includes("text/event-stream");
    const limit = streams ? eventLimit : jsonLimit;
    const one = watched(response, limit(MAX_ANSWER_BYTES, refuse, LIMITS));
    return listens && response.ok ? one : watched(one, byteLimit(MAX_ANSWER_BYTES, refuse));
  };
}

export function tooLarge(): BadGateway {
  return new BadGateway(
    "tool_result_too_large",
    `The tool server's answer is larger than ${MAX_ANSWER_BYTES} bytes, or holds too many values. Ask it for less.`,
  );
}
