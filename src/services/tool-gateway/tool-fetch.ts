import { BadGateway } from "../../platform/http/errors.ts";
import type { Outgoing } from "../../platform/outgoing/outgoing.ts";

/** Larger than anything that a model could read. */
export const LARGEST_ANSWER = 4 * 1024 * 1024;

/** The way to a tool server for the SDK's transport: guarded, and with answers bounded by what they hold when unpacked. */
export function toolFetch(outgoing: Outgoing): (url: string | URL, init?: RequestInit) => Promise<Response> {
  return async (url, init) => {
    const response = await outgoing.fetch(url, init);
    // the stream of notifications is as long as its session
    return init?.method === "GET" ? response : bounded(response);
  };
}

function bounded({ body, headers, status, statusText }: Response): Response {
  let left = LARGEST_ANSWER;
  const counted = body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        left -= chunk.byteLength;
        if (left < 0) controller.error(tooLarge());
        else controller.enqueue(chunk);
      },
    }),
  );
  return new Response(counted ?? null, { status, statusText, headers });
}

export function tooLarge(): BadGateway {
  return new BadGateway(
    "tool_result_too_large",
    `The tool server's answer is larger than ${LARGEST_ANSWER} bytes. Ask it for less.`,
  );
}
