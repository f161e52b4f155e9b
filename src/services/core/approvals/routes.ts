import type { Database } from "../../../platform/db/database.ts";
import { userOf } from "../../../platform/http/caller.ts";
import { offsetOf, readPage } from "../../../platform/http/page.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import type { PermittedUse } from "../permitted-use.ts";
import type { Sharing } from "../sharing.ts";
import type { Budgets } from "../usage/budgets.ts";
import { conversationFor } from "../conversations/access.ts";
import { listAllowedTools, revokeTool } from "./allowed-tools.ts";
import { approvalsContract as contract } from "./contract.ts";
import { listWaitingReplies } from "./waiting-replies.ts";
import { decideCall } from "../replies/decide-call.ts";
import type { ReplyRunner } from "../replies/reply-runner.ts";

interface Deps {
  db: Database;
  sharing: Sharing;
  runner: ReplyRunner;
  use: PermittedUse;
  budgets: Budgets;
}

export function approvalRoutes(routes: Routes, deps: Deps): Routes {
  const { db, runner } = deps;
  return routes
    .on(contract.approve, async ({ caller, params: { conversationId }, body }) => {
      const user = userOf(caller);
      await conversationFor(deps, user, conversationId, "editor");
      const { toMake, messageId, waiting } = await decideCall(
        deps,
        conversationId,
        user,
        body,
      );
      if (toMake) void runner.start(toMake);
      return { messageId, waiting };
    })
    .on(contract.listWaiting, ({ caller, query }) =>
      readPage(query, (limit, offset) =>
        listWaitingReplies(db, userOf(caller).userId, limit, offset),
      ),
    )
    .on(contract.listAllowedTools, async ({ caller, query }) => {
      const { page, limit } = query;
      const { userId } = userOf(caller);
      return {
        page,
        limit,
        ...(await listAllowedTools(db, userId, limit, offsetOf(query))),
      };
    })
    .on(contract.revokeTool, ({ caller, params }) =>
      revokeTool(db, userOf(caller).userId, params),
    );
}
