import { queryOptions } from "@tanstack/react-query";
import type { RouteOk } from "../../../../src/platform/http/route.ts";
import { parserContract } from "../../../../src/services/parser/contract.ts";
import { call } from "../../api/call.ts";

export type ParserInfo = RouteOk<typeof parserContract.parserInfo>;

/** How files are parsed, and which parsers answer now. */
export const parserQuery = queryOptions({
  queryKey: ["parser"],
  async queryFn({ signal }) {
    const [info, health] = await Promise.all([
      call(parserContract.parserInfo, {}, { signal }),
      call(parserContract.parserHealth, {}, { signal }),
    ]);
    return { info, health };
  },
});
