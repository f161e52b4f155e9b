import type { Logger } from "../telemetry/log.ts";
import type { Caller } from "./caller.ts";
import { MAX_BODY_BYTES, MAX_BODY_VALUES } from "./route.ts";
import type { AnyRoute, Contract, RouteOkInput, RouteTaken } from "./route.ts";

/**
 * What a handler receives: validated input, the caller, and a signal that aborts when no client
 * waits for the answer any more.
 */
export type Ask<R extends AnyRoute> = RouteTaken<R> & {
  caller: Caller;
  /** The caller as last admitted: while a stream is open, their roles may change. */
  callerNow: () => Caller;
  request: Request;
  signal: AbortSignal;
  requestId: string;
  log: Logger;
  /** The client's address, if known. */
  peer: string;
};

type Answer<R extends AnyRoute> = RouteOkInput<R> | Response;
export type Handler<R extends AnyRoute> = (ask: Ask<R>) => Promise<Answer<R>> | Answer<R>;

/** The handlers of a service, each for one route of its contract. */
export class Routes {
  readonly #handlers = new Map<AnyRoute, Handler<AnyRoute>>();

  on<R extends AnyRoute>(route: R, handler: Handler<R>): this {
    if (this.#handlers.has(route))
      throw new Error(`${route.method} ${route.path} has two handlers`);
    // stored under the route that determines its type, and called only with that route's input
    this.#handlers.set(route, handler as unknown as Handler<AnyRoute>);
    return this;
  }

  /**
   * Returns each route of the contract with its handler.
   * @throws Error for a route without a handler or an access policy, and for an undeclared one.
   */
  of(contract: Contract): { route: AnyRoute; handler: Handler<AnyRoute> }[] {
    const declared = Object.values(contract);
    for (const route of this.#handlers.keys()) {
      if (!declared.includes(route))
        throw new Error(
          `${route.method} ${route.path} is handled but not declared in the contract`,
        );
    }
    return declared.map((route) => {
      const handler = this.#handlers.get(route);
      if (handler === undefined)
        throw new Error(`${route.method} ${route.path} is declared but has no handler`);
      if (route.access === undefined || route.access.length === 0)
        throw new Error(`${route.method} ${route.path} does not say who may call it`);
      const { maxBody = 0, maxValues = 0 } = route;
      if (maxBody > MAX_BODY_BYTES || maxValues > MAX_BODY_VALUES)
        throw new Error(
          `${route.method} ${route.path} takes a larger body than any route may`,
        );
      return { route, handler };
    });
  }
}
