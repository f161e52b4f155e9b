import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Draft } from "../shell/drafts.ts";
import { notifyFailure } from "../ui/notices.tsx";
import { discard, type Outgoing, readOpening } from "./outgoing.ts";
import { conversationQuery, regenerateReply, setReaction, stopReply } from "./queries.ts";
import { startFollowing, useLiveReply } from "./replies.ts";
import type { ThreadMessage } from "./queries.ts";
import { useChoice } from "./use-choice.ts";
import { useDraft } from "./use-draft.ts";
import { useSend } from "./use-send.ts";
import { newId } from "../api/new-id.ts";

interface ConversationDeps {
  /** Its id, or `new`. */
  conversationKey: string;
  /** The canvas that is open beside it: the assistant may change it. */
  canvasId?: string | undefined;
  messages: readonly ThreadMessage[];
  onBranch: (messageId: string | undefined) => void;
}

export type ConversationActions = ReturnType<typeof useConversation>;

/** The actions in a conversation. */
export function useConversation(deps: ConversationDeps) {
  const { conversationKey, canvasId, messages, onBranch } = deps;
  const queries = useQueryClient();
  const { draft, change, clear } = useDraft(conversationKey);
  const conversationId = conversationKey === "new" ? undefined : conversationKey;
  const last = messages.at(-1);
  const before = { model: last?.model ?? undefined, agentId: last?.agentId ?? undefined };
  const choice = useChoice(conversationKey, before);
  useFollowStored(messages);
  const { running, stop } = useRunning(last?.id);
  const reload = () =>
    queries.invalidateQueries({ queryKey: conversationQuery(conversationKey).queryKey });
  const post = useSend({ conversationKey, canvasId, asked: choice.asked, onBranch });
  const reacting = useMutation({
    mutationFn: ({ id, reaction }: { id: string; reaction: "like" | "dislike" | null }) =>
      setReaction(id, reaction),
    onSuccess: reload,
    onError: notifyFailure,
  });
  return {
    draft,
    changeDraft: change,
    choice,
    running,
    stop,
    async send({ text, files }: Draft) {
      clear();
      await post({ content: text, parentMessageId: last?.id }, files);
    },
    /** Sends another text in place of a message: a branch beside it. */
    resend: (message: ThreadMessage, content: string) =>
      void post({ content, parentMessageId: message.parentId }, toDraftFiles(message)),
    async regenerate({ id }: ThreadMessage) {
      if (!conversationId) return;
      const controller = new AbortController();
      const ask = { conversationId, messageId: id, model: choice.asked.model };
      try {
        const events = regenerateReply(ask, newId(), controller.signal);
        const { accepted, rest } = await readOpening(events);
        startFollowing(queries, accepted, rest);
        onBranch(undefined);
        await reload();
      } catch (error) {
        notifyFailure(error);
      }
    },
    react: ({ id }: ThreadMessage, reaction: "like" | "dislike" | null) =>
      reacting.mutate({ id, reaction }),
    /** All calls are decided, so the same reply continues. */
    async goOn({ id }: ThreadMessage) {
      await reload();
      if (conversationId) startFollowing(queries, { conversationId, messageId: id });
    },
    /** Takes a message that was not sent back into the composer. */
    editOutgoing({ key, body, files }: Outgoing) {
      discard(key);
      change({ text: body.content, files: [...files] });
    },
  };
}

/** The reply to the last message while it is made, and what stops it. */
function useRunning(messageId: string | undefined) {
  const live = useLiveReply(messageId);
  const running = live && !live.hasEnded ? live : undefined;
  const [isStopping, setStopping] = useState(false);
  useEffect(() => setStopping(false), [running]);
  const stop =
    running &&
    (() => {
      if (isStopping) return;
      setStopping(true);
      stopReply(running.conversationId, running.messageId).catch(notifyFailure);
    });
  return { running, stop };
}

/** Follows replies that are being made, as after a reload. */
function useFollowStored(messages: readonly ThreadMessage[]): void {
  const queries = useQueryClient();
  useEffect(() => {
    for (const { id, conversationId, status } of messages) {
      if (status === "streaming")
        startFollowing(queries, { conversationId, messageId: id });
    }
  }, [messages, queries]);
}

function toDraftFiles({ files }: ThreadMessage): Draft["files"] {
  return files.map(({ id, fileName, size, mimeType }) => ({
    key: id,
    documentId: id,
    name: fileName,
    size,
    type: mimeType,
  }));
}
