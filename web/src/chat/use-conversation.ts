import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState, useRef } from "react";
import {
  type Draft,
  deleteDraftFile,
  EMPTY_DRAFT,
  loadDraft,
  saveDraft,
} from "../shell/drafts.ts";
import { useAskedMessages } from "../shell/asked-messages.ts";
import { notifyFailure } from "../ui/notices.tsx";
import { discard, type Outgoing, readOpening, send } from "./outgoing.ts";
import {
  conversationQuery,
  regenerateReply,
  setReaction,
  stopReply,
  type ThreadMessage,
  type MessageBody,
} from "./queries.ts";
import { startFollowing, useLiveReply } from "./replies.ts";
import { newId } from "../api/new-id.ts";
import { useSearch, useNavigate } from "@tanstack/react-router";
import type { Choice } from "./choice.ts";
import { defaultModel } from "../shell/preferences.ts";
import { preferencesQuery } from "../shell/preferences-queries.ts";
import { useModels } from "../shell/use-models.ts";
import { keepInBrowser } from "../api/keep-in-browser.ts";

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
  const post = useSend({
    conversationKey,
    canvasId,
    asked: choice.asked,
    answers: choice.shown,
    onBranch,
  });
  useAskedMessages(
    conversationId,
    (content) => void post({ content, parentMessageId: last?.id }, []),
  );
  const reacting = useMutation({
    mutationFn: ({ id, reaction }: { id: string; reaction: "like" | "dislike" | null }) =>
      setReaction(id, { reaction }),
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
        startFollowing(queries, accepted, { events: rest });
        onBranch(undefined);
        await reload();
      } catch (error) {
        notifyFailure(error);
      }
    },
    /** Ends once it is stored and shown, or has failed, which a notice says. */
    react: ({ id }: ThreadMessage, reaction: "like" | "dislike" | null) =>
      reacting.mutateAsync({ id, reaction }).then(ignore, ignore),
    /** All calls are decided, so the same reply continues. */
    async goOn(message: ThreadMessage) {
      await reload();
      const reply = { conversationId: message.conversationId, messageId: message.id };
      startFollowing(queries, reply, { stored: message });
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
    for (const stored of messages) {
      const { id, conversationId, status } = stored;
      if (status === "streaming")
        startFollowing(queries, { conversationId, messageId: id }, { stored });
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

const MODEL_KEY = "parlance.model";
const TOOLS_KEY = "parlance.tools";

/**
 * Decides who answers in a conversation. A new one starts with the model that the person prefers,
 * or else the one that was chosen last. In
 * an existing one, the agent or model that answered `before` continues: `asked` contains only what
 * was chosen here, so that the server decides the rest.
 */
function useChoice(conversationKey: string, before: Choice) {
  const models = useModels();
  const [chosen, setChosen] = useState<{ key: string; choice: Choice }>();
  const isNew = conversationKey === "new";
  const { agent } = useSearch({ strict: false });
  const isOffered = (wanted: string | undefined) =>
    models?.some(({ id }) => id === wanted) ?? false;
  const { data: preferences } = useQuery(preferencesQuery);
  const preferred = preferences ? preferences.model : defaultModel();
  const remembered = [
    preferred ?? undefined,
    localStorage.getItem(MODEL_KEY) ?? undefined,
  ].find(isOffered);
  const initial: Choice = {
    ...(isNew && remembered !== undefined && { model: remembered }),
    ...(isNew && agent !== undefined && { agentId: agent, model: undefined }),
  };
  const [tools, setTools] = useState(readTools);
  const own = chosen?.key === conversationKey ? chosen.choice : initial;
  const shown: Choice = { ...before, ...own, tools };
  // an agent has its own tools
  const asked: Choice = { ...own, ...(!shown.agentId && tools.length > 0 && { tools }) };
  return {
    asked,
    shown,
    /** Switches tools, also for later conversations. */
    use(next: string[]) {
      keepInBrowser(TOOLS_KEY, JSON.stringify(next));
      setTools(next);
    },
    choose(next: Choice) {
      if (next.model) keepInBrowser(MODEL_KEY, next.model);
      const { model, agentId } = next;
      setChosen({ key: conversationKey, choice: { model, agentId } });
    },
  };
}

function readTools(): string[] {
  const stored = localStorage.getItem(TOOLS_KEY);
  return stored === null ? [] : (JSON.parse(stored) as string[]); // written by `use`
}

interface SendDeps {
  /** Its id, or `new`. */
  conversationKey: string;
  canvasId?: string | undefined;
  /** Who is to answer. */
  asked: Choice;
  /** The same, with what the server decides. */
  answers: Choice;
  onBranch: (messageId: string | undefined) => void;
}

/** @returns what sends a message of a conversation, and opens a conversation that is new. */
function useSend(deps: SendDeps) {
  const { conversationKey, canvasId, asked, answers, onBranch } = deps;
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
      answers: { agentId: answers.agentId, model: answers.model },
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

type Change = Partial<Draft> | ((draft: Draft) => Partial<Draft>);

/** The unsent message of a conversation, stored with every change. */
function useDraft(conversationKey: string) {
  const [state, setState] = useState({
    key: conversationKey,
    draft: loadDraft(conversationKey),
  });
  const current = useRef(state);
  if (current.current.key !== conversationKey) {
    current.current = { key: conversationKey, draft: loadDraft(conversationKey) };
  }
  useEffect(() => setState(current.current), [conversationKey]);
  const change = (next: Change) => {
    const { key, draft } = current.current;
    const changes = typeof next === "function" ? next(draft) : next;
    current.current = { key, draft: { ...draft, ...changes } };
    saveDraft(key, current.current.draft);
    setState(current.current);
  };
  return {
    draft: state.key === conversationKey ? state.draft : current.current.draft,
    change,
    /** Empties the page's draft; what is stored stays until `forget`. */
    clear() {
      current.current = { key: current.current.key, draft: EMPTY_DRAFT };
      setState(current.current);
    },
  };
}

function ignore(): void {}

/** Removes a stored draft once its message is stored by the server. */
function forgetDraft(conversationKey: string, sent: Draft): void {
  const stored = loadDraft(conversationKey);
  for (const { key } of sent.files) void deleteDraftFile(key);
  if (stored.text === sent.text) saveDraft(conversationKey, EMPTY_DRAFT);
}
