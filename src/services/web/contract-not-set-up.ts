import { Unavailable } from "../../platform/http/errors.ts";

const RETRY_AFTER_MS = 30_000;

export const NOT_SET_UP = "web_search_not_set_up";

/** `settings`: for each engine the environment variables that it needs. */
export function webNotSetUp(all: readonly string[]): Unavailable {
  const settings = all.join(", ");
  return new Unavailable(
    "web_search_not_set_up",
    "The web cannot be searched: no search engine is set up. Ask an administrator to add one " +
      `under Tool servers, or to set one of ${settings}.`,
    RETRY_AFTER_MS,
    { params: { settings } },
  );
}
