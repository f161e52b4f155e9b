import type { Database } from "../../../platform/db/database.ts";
import { type Caller, userOf } from "../../../platform/http/caller.ts";
import { NotFound } from "../../../platform/http/errors.ts";
import { readPage } from "../../../platform/http/page.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import type { AccessRole } from "../../users/contract-sharing.ts";
import { agentRepliesContract } from "../contract-agent-replies.ts";
import type { Labels } from "../labels/labels.ts";
import { ofConversation } from "../labels/read-resources.ts";
import type { LimitExports } from "../limit-exports.ts";
import type { ReplyRunner } from "../replies/reply-runner.ts";
import type { Sharing } from "../sharing.ts";
import { conversationFor, conversationNotFound, visibleConversations } from "./access.ts";
import { conversationsContract as contract } from "./contract.ts";
import { exportConversation } from "./export-conversation.ts";
import type { Register } from "./register-new.ts";
import { keepTranscript } from "./keep-transcript.ts";
import { listHistory } from "./chat-history.ts";
import { readThread, readWhole } from "./read-thread.ts";
import { conversationOf, messageNotFound, readReaction, setReaction } from "./reactions.ts";
import { searchConversations } from "./search.ts";
import {
  deleteConversation,
  findConversations,
  listConversations,
  updateConversation,
} from "./store.ts";
import { listTags, setTags } from "./tags.ts";
import { purgeConversation, restoreConversation } from "./trash.ts";
import { deleteViewContext, listViewContexts, setViewContext } from "./view-contexts.ts";

interface Deps {
  db: Database;
  register: Register;
  maxTags: number;
  maxConversations: number;
  sharing: Sharing;
  exports: LimitExports;
  labels: Pick<Labels, "refuseExport">;
  runner: Pick<ReplyRunner, "stop">;
}

export function conversationRoutes(routes: Routes, deps: Deps): Routes {
  const { db, runner, sharing } = deps;
  const reach = (caller: Caller, id: string, needed: AccessRole) =>
    conversationFor(deps, userOf(caller), id, needed);
  /** Access to a message is access to its conversation. */
  const reachMessage = async (caller: Caller, messageId: string, needed: AccessRole) => {
    const id = await conversationOf(db, messageId);
    await reach(caller, id, needed).catch((error: unknown) => {
      throw error instanceof NotFound ? messageNotFound() : error;
    });
  };
  listRoutes(routes, db);
  readRoutes(routes, deps);
  viewRoutes(routes, deps);
  return routes
    .on(agentRepliesContract.keepTranscript, ({ body }) => keepTranscript(deps, body))
    .on(contract.purge, async ({ caller, params }) => {
      await purgeConversation(db, userOf(caller).userId, params.conversationId);
      await sharing.forget("conversation", params.conversationId);
    })
    .on(contract.restore, async ({ caller, params }) => {
      await restoreConversation(deps, userOf(caller).userId, params.conversationId);
      return reach(caller, params.conversationId, "owner");
    })
    .on(contract.getReaction, async ({ caller, params }) => {
      await reachMessage(caller, params.messageId, "viewer");
      return readReaction(db, userOf(caller).userId, params.messageId);
    })
    .on(contract.setReaction, async ({ caller, params, body }) => {
      await reachMessage(caller, params.messageId, "commenter");
      return setReaction(db, userOf(caller), params.messageId, body);
    })
    .on(contract.change, async ({ caller, params, body }) => {
      await reach(caller, params.conversationId, "editor");
      await updateConversation(db, params.conversationId, body);
      if (body.tags)
        await setTags(deps, userOf(caller).userId, params.conversationId, body.tags);
      return reach(caller, params.conversationId, "editor");
    })
    .on(contract.remove, async ({ caller, params }) => {
      await reach(caller, params.conversationId, "owner");
      await runner.stop(params.conversationId);
      await deleteConversation(db, params.conversationId);
    });
}

/** The conversations of a user, by pages. */
function listRoutes(routes: Routes, db: Database): void {
  routes
    .on(contract.chatHistory, ({ caller, query }) =>
      readPage(query, (_, offset) =>
        listHistory(db, userOf(caller).userId, { ...query, offset }),
      ),
    )
    .on(contract.search, ({ caller, query }) => {
      const { tags = [], query: words, order } = query;
      const { sort = words ? "relevance" : "updatedAt" } = query;
      return readPage(query, (limit, offset) =>
        searchConversations(db, userOf(caller).userId, {
          query: words,
          tags,
          sort,
          order,
          limit,
          offset,
        }),
      );
    })
    .on(contract.tags, ({ caller, query }) =>
      readPage(query, (limit, offset) =>
        listTags(db, userOf(caller).userId, limit, offset),
      ),
    )
    .on(contract.trash, ({ caller, query }) =>
      readPage(query, (limit, offset) =>
        listConversations(db, userOf(caller).userId, limit, offset, { deleted: true }),
      ),
    );
}

/** What views add to a conversation: whoever may write in it may add it and take it back. */
function viewRoutes(routes: Routes, deps: Deps): void {
  const { db } = deps;
  const holderOf = async (caller: Caller, id: string, needed: AccessRole) => {
    const user = userOf(caller);
    await conversationFor(deps, user, id, needed);
    return { conversationId: id, userId: user.userId };
  };
  routes
    .on(contract.listViewContexts, async ({ caller, params }) => {
      const holder = await holderOf(caller, params.conversationId, "viewer");
      return { items: await listViewContexts(db, holder) };
    })
    .on(contract.setViewContext, async ({ caller, params, body }) => {
      const holder = await holderOf(caller, params.conversationId, "editor");
      return setViewContext(db, holder, { ...body, toolCallId: params.toolCallId });
    })
    .on(contract.deleteViewContext, async ({ caller, params }) => {
      const holder = await holderOf(caller, params.conversationId, "editor");
      await deleteViewContext(db, holder, params.toolCallId);
    });
}

/** What a user may see of conversations. */
function readRoutes(routes: Routes, deps: Deps): void {
  const { db, exports } = deps;
  const reach = (caller: Caller, id: string) =>
    conversationFor(deps, userOf(caller), id, "viewer");
  routes
    .on(contract.export, async ({ caller, params, query }) => {
      const conversation = await reach(caller, params.conversationId);
      const { userId } = userOf(caller);
      await deps.labels.refuseExport(userId, ofConversation(conversation.id));
      return exports.during(userId, () =>
        exportConversation(db, conversation, query.format, userId),
      );
    })
    .on(contract.multiple, async ({ caller, query }) => {
      if (caller.kind !== "user")
        return readWhole(db, await findConversations(db, query.ids, undefined), undefined);
      const visible = await visibleConversations(deps, caller, query.ids);
      return readWhole(db, visible, caller.userId);
    })
    .on(contract.titles, ({ caller, query }) =>
      visibleConversations(deps, userOf(caller), query.ids),
    )
    .on(contract.messages, async ({ caller, params, query: { leaf, before, limit } }) => {
      const { id } = await reach(caller, params.conversationId);
      const reader = userOf(caller).userId;
      return readThread(db, { conversationId: id, leaf, before, limit, reader });
    })
    .on(contract.get, async ({ caller, params, query }) => {
      const conversation = await reach(caller, params.conversationId);
      if (query.messages === "none") return { ...conversation, messages: [] };
      const [whole] = await readWhole(db, [conversation], userOf(caller).userId);
      if (!whole) throw conversationNotFound();
      return whole;
    });
}
