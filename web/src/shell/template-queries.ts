import { queryOptions } from "@tanstack/react-query";
import { templatesContract } from "../../../src/services/core/templates/contract.ts";
import { call } from "../api/call.ts";

/** One template, for its page and for a message that begins with it. */
export function templateQuery(id: string) {
  return queryOptions({
    queryKey: ["template", id],
    queryFn: ({ signal }) =>
      call(templatesContract.getTemplate, { params: { id } }, { signal }),
  });
}
