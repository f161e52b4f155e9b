import { type Days, readFilters, toTimes } from "../filter.ts";

/** The filters of feedback, as the address has them. The server says which values there are. */
export interface FeedbackFilter extends Days {
  reaction?: string;
  reason?: string;
  /** As `provider/model`. */
  model?: string;
  agentId?: string;
}

const NAMES = ["reaction", "reason", "model", "agentId"] as const;

export function readFeedbackFilter(search: Record<string, unknown>): FeedbackFilter {
  return readFilters(search, NAMES);
}

/** The filter in the form of the API. */
export function toFeedbackQuery(filter: FeedbackFilter) {
  return { ...filter, ...toTimes(filter) };
}
