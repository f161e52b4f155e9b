import {
  auditContract,
  type AuditEntry,
} from "../../../../src/services/users/contract-audit.ts";
import { call } from "../../api/call.ts";
import { urlOf } from "../../api/request.ts";
import { pagedQuery } from "../../shell/paged.ts";
import { type AuditFilter, toQuery } from "./filter.ts";

const PAGE = 50;

export type { AuditEntry };

export function auditQuery(filter: AuditFilter) {
  return pagedQuery({
    queryKey: ["audit"],
    filter: [filter],
    load: (page, signal) =>
      call(
        auditContract.listAudit,
        { query: { ...toQuery(filter), page, limit: PAGE } },
        { signal },
      ),
    keyOf: ({ id }) => id,
  });
}

/** The address of an export with the filters of the page. */
export function exportAddress(filter: AuditFilter, format: "csv" | "json"): string {
  return urlOf(auditContract.exportAudit.path, { query: { ...toQuery(filter), format } });
}
