import { lazyRouteComponent } from "@tanstack/react-router";
import { loadPart } from "../api/load-part.ts";

/**
 * A component, or a whole page, whose code is fetched when it is first shown, or by `preload`.
 * Where the server does not answer, its place waits until it does; where the build of the app was
 * replaced meanwhile, the page is loaded again, once.
 */
export const lazyPart: typeof lazyRouteComponent = (fetchIt, name) =>
  lazyRouteComponent(() => loadPart(fetchIt), name);
