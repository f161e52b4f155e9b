import { attachment } from "../../../platform/http/attachment.ts";
import { userOf } from "../../../platform/http/caller.ts";
import { readPage } from "../../../platform/http/page.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import { feedbackContract as contract } from "./contract.ts";
import { exportFeedback, type FeedbackDeps, listFeedback } from "./read-feedback.ts";

export function feedbackRoutes(routes: Routes, deps: FeedbackDeps): void {
  routes
    .on(contract.listFeedback, ({ caller, query: { page, limit: most, ...filter } }) =>
      readPage({ page, limit: most }, (limit, offset) =>
        listFeedback(deps, userOf(caller), filter, limit, offset),
      ),
    )
    .on(contract.exportFeedback, ({ caller, query }) =>
      attachment(exportFeedback(deps, userOf(caller), query), {
        fileName: "feedback.csv",
        mime: "text/csv; charset=utf-8",
      }),
    );
}
