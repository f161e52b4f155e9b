import { BadGateway } from "../../platform/http/errors.ts";
import { eventLimit, type Watch, watched } from "../../platform/outgoing/bounded-body.ts";
import type { Outgoing } from "../../platform/outgoing/outgoing.ts";

/** Larger than anything that a model could read. */
export const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/**
 * The way to one tool server for the SDK's transport: guarded, and with answers bounded by what they hold when unpacked. The stream of
 * notifications is as long as its session: there each event is bounded, and a server that breaks the bound is listened to no more.
 */
export function toolFetch(
  outgoing: Outgoing,
): (url: string | URL, init?: RequestInit) => Promise<Response> {
  let deaf = false;
  return async (url, init) => {
    const listens = init?.method === "GET";
    // as a server answers that has no such stream
    if (listens && deaf) return new Response(null, { status: 405 });
    const response = await outgoing.fetch(url, init);
    const limit = listens && response.ok ? eventLimit : bodyLimit;
    return watched(
      response,
      limit(MAX_ANSWER_BYTES, () => {
        deaf ||= listens;
        return tooLarge();
      }),
    );
  };
}

function bodyLimit(most: number, failure: () => Error): Watch {
  let left = most;
  return (chunk) => {
    left -= chunk.byteLength;
    if (left < 0) throw failure();
  };
}

export function tooLarge(): BadGateway {
  return new BadGateway(
    "tool_result_too_large",
    `The tool server's answer is larger than ${MAX_ANSWER_BYTES} bytes. Ask it for less.`,
  );
}
