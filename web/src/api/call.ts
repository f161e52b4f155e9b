import type { AnyRoute, RouteInput, RouteOk } from "../../../src/platform/http/route.ts";
import { toNetworkFailure } from "./failure.ts";
import { type AnyInput, request, type RequestOptions } from "./request.ts";

/**
 * Calls a route of a contract.
 * @returns the body of the answer; `undefined` where the route has none.
 * @throws Failure
 */
export async function call<R extends AnyRoute>(
  route: R,
  input: RouteInput<R>,
  options?: RequestOptions,
): Promise<RouteOk<R>> {
  const response = await request(route, input as AnyInput, options); // of a route's input
  const text = await response.text().catch((error: unknown) => {
    options?.signal?.throwIfAborted();
    throw toNetworkFailure(error);
  });
  if (text === "") return undefined as RouteOk<R>; // a route without `ok`
  return JSON.parse(text) as RouteOk<R>; // built by the server from the route's schema
}
