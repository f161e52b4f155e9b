import { expect, test } from "vitest";
import { readFinish } from "./finish-reasons.ts";

test.each([
  ["STOP", "stop"],
  ["tool-calls", "tool_calls"],
  ["content_filter: RECITATION", "content_filter"],
  // names that nobody has listed
  ["blocked_by_guard", "content_filter"],
  ["content_filter_error", "content_filter"],
  ["upstream_failure", "error"],
  ["malformed_plan", "error"],
  ["cancelled_by_server", "error"],
  ["output_limit_of_plan", "length"],
  ["done_thinking", "stop"],
  ["refused_by_model", "content_filter"],
  ["copyright_violation", "content_filter"],
  ["upstream_timeout", "error"],
  ["backend_unavailable", "error"],
  ["context_exceeded", "length"],
  ["thinking_budget", "length"],
])("the end %s is %s", (reason, finish) => {
  expect(readFinish(reason)).toBe(finish);
});
