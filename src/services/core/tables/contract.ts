import { z } from "zod";
import { route } from "../../../platform/http/route.ts";
import { MAX_SQL_CHARACTERS, MAX_TABLE_DOCUMENTS } from "../../parser/tables/contract.ts";

export const tablesContract = {
  exportTable: route({
    method: "post",
    path: "/api/v1/tables/export",
    access: ["jwt", "key"],
    permission: "document:search",
    changes: "none",
    produces: ["text/csv"],
    summary: "Save the rows of one SELECT over tables of documents as CSV",
    description:
      'Tables are named after their files: `SELECT * FROM "Sales 2025"`. Documents that the caller may not see are left out.',
    body: z.object({
      documentIds: z.array(z.uuid()).min(1).max(MAX_TABLE_DOCUMENTS),
      sql: z.string().min(1).max(MAX_SQL_CHARACTERS),
    }),
  }),
};
