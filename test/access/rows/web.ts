import { type Rows, services } from "../row.ts";

/** Only other services search and read the web: for the tools of a reply. */
export const web: Rows = {
  webEngines: {
    access: "service-secret",
    cases: { it: { ask: () => ({}), answers: services } },
  },
  searchWeb: {
    access: "service-secret",
    cases: {
      it: {
        ask: () => ({ body: { query: "tides" } }),
        answers: services,
        service: "503 web_search_not_set_up",
      },
    },
  },
  testWebEngine: {
    access: "service-secret",
    cases: {
      it: {
        ask: () => ({ body: { engine: { id: "environment-none" }, query: "tides" } }),
        answers: services,
        service: "404 search_engine_not_found",
      },
    },
  },
  readWebPage: {
    access: "service-secret",
    cases: {
      it: {
        ask: () => ({ body: { url: "no address" } }),
        answers: services,
        service: "400 web_address_incomplete",
      },
    },
  },
};
