import { expect, test } from "vitest";
import { NotFound, TooManyRequests } from "./errors.ts";
import { errorResponse } from "./respond.ts";

test("the body of an error has the values of its sentence, and none where it has none", async () => {
  const withValues = new NotFound("model_not_found", 'There is no model "x".', {
    params: { name: "x" },
  });
  expect(await errorResponse(withValues, "r1").json()).toEqual({
    error: 'There is no model "x".',
    code: "model_not_found",
    params: { name: "x" },
    requestId: "r1",
  });
  const without = new NotFound("not_found", "There is nothing here.");
  expect(await errorResponse(without, "r2").json()).toEqual({
    error: "There is nothing here.",
    code: "not_found",
    requestId: "r2",
  });
});

test("an error of a limit says how many seconds to wait", async () => {
  const limited = new TooManyRequests("rate_limited", "Wait a moment.", 2_400, {
    params: { max: 5 },
  });
  const response = errorResponse(limited, "r3");
  expect(response.headers.get("retry-after")).toBe("3");
  expect(await response.json()).toMatchObject({ params: { seconds: 3, max: 5 } });
});

test("a body of another protocol stays as it is", async () => {
  const error = new NotFound("flow_not_found", "No flow.", { params: { name: "x" } });
  const errorBody = ({ message }: { message: string }) => ({ error: message });
  expect(await errorResponse(error, "r4", { errorBody }).json()).toEqual({
    error: "No flow.",
  });
});
