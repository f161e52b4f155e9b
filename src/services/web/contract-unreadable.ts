import { BadRequest } from "../../platform/http/errors.ts";

const MAX_PAGE_BYTES = 10 * 1024 * 1024;

const ADVICE = "Read another page, or check the address.";

/** Why a page cannot be read: an error for each reason. `page`: its host. */
export const unreadable = {
  address: () =>
    new BadRequest(
      "web_address_incomplete",
      "This is no complete address of a page. Name one such as https://example.org/page.",
    ),
  redirects: (page: string) =>
    new BadRequest("web_page_redirects", `${at(page)} redirects too often. ${ADVICE}`, {
      params: { page },
    }),
  redirectedNowhere: (page: string) =>
    new BadRequest(
      "web_page_redirected_nowhere",
      `${at(page)} redirects to no address. ${ADVICE}`,
      { params: { page } },
    ),
  slow: (page: string) =>
    new BadRequest("web_page_slow", `${at(page)} takes too long to answer. ${ADVICE}`, {
      params: { page },
    }),
  status: (page: string, status: number) =>
    new BadRequest(
      "web_page_status",
      `${at(page)} answers with status ${status}. ${ADVICE}`,
      { params: { page, status: String(status) } },
    ),
  tooLarge: (page: string) =>
    new BadRequest("web_page_too_large", `${at(page)} is larger than 10 MB. ${ADVICE}`, {
      params: { page, maxBytes: MAX_PAGE_BYTES },
    }),
  unreachable: (page: string) =>
    new BadRequest("web_page_unreachable", `${at(page)} cannot be reached. ${ADVICE}`, {
      params: { page },
    }),
  withoutText: (page: string) =>
    new BadRequest(
      "web_page_without_text",
      `${at(page)} has no text, or a script writes it. ${ADVICE}`,
      { params: { page } },
    ),
  noPage: (page: string) =>
    new BadRequest(
      "web_page_unreadable",
      `${at(page)} is no page that can be read. ${ADVICE}`,
      { params: { page } },
    ),
};

function at(page: string): string {
  return `The page at ${page}`;
}
