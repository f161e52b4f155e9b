import type { RouteInput } from "../../../../src/platform/http/route.ts";
import {
  type Feedback,
  feedbackContract,
} from "../../../../src/services/core/feedback/contract.ts";
import { call } from "../../api/call.ts";
import { urlOf } from "../../api/request.ts";
import { pagedQuery } from "../../shell/paged.ts";
import { type FeedbackFilter, toFeedbackQuery } from "./filter.ts";

const PAGE = 50;

export type { Feedback };
type Query = RouteInput<typeof feedbackContract.listFeedback>["query"];

export function feedbackQuery(filter: FeedbackFilter) {
  return pagedQuery({
    queryKey: ["feedback"],
    filter: [filter],
    load: (page, signal) => {
      // values of an address, which the server checks
      const query = { ...toFeedbackQuery(filter), page, limit: PAGE } as Query;
      return call(feedbackContract.listFeedback, { query }, { signal });
    },
    keyOf: ({ messageId, userId }) => `${messageId} ${userId}`,
  });
}

/** The address of an export with the filters of the page. */
export function feedbackAddress(filter: FeedbackFilter): string {
  const query = toFeedbackQuery(filter);
  return urlOf(feedbackContract.exportFeedback.path, { query });
}
