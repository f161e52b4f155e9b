import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { newId } from "../api/new-id.ts";
import type { Draft } from "../shell/drafts.ts";
import { send } from "./outgoing.ts";
import type { Choice } from "./picker.tsx";
import { conversationQuery, type MessageBody } from "./queries.ts";
import { forgetDraft } from "./use-draft.ts";

interface SendDeps {
  /** Its id, or `new`. */
  conversationKey: string;
  canvasId?: string | undefined;
  /** Who is to answer. */
  asked: Choice;
  onBranch: (messageId: string | undefined) => void;
}

/** @returns what sends a message of a conversation, and opens a conversation that is new. */
export function useSend(deps: SendDeps) {
  const { conversationKey, canvasId, asked, onBranch } = deps;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const conversationId = conversationKey === "new" ? undefined : conversationKey;
  return async (
    body: Pick<MessageBody, "content" | "parentMessageId">,
    files: Draft["files"],
  ): Promise<void> => {
    const accepted = await send(queries, {
      key: newId(),
      conversationKey,
      files,
      body: {
        ...body,
        conversationId,
        canvasId,
        ...asked,
        files: files.flatMap(({ documentId }) => documentId ?? []),
      },
    });
    if (!accepted) return;
    onBranch(undefined);
    const { queryKey } = conversationQuery(accepted.conversationId);
    // the versions beside it are known to the server alone
    if (conversationId) void queries.invalidateQueries({ queryKey });
    else await navigate({ to: "/c/$id", params: { id: accepted.conversationId } });
    forgetDraft(conversationKey, { text: body.content, files: [...files] });
  };
}
