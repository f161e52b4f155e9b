import { useEffect, useRef, useState } from "react";
import type { ConversationEvent } from "../../../src/services/core/replies/contract.ts";
import { type Failure, toFailure, toReportedFailure } from "../api/failure.ts";
import { type AnswerEvents, askVersion, askVersionAgain, stopAnswer } from "./queries.ts";

/** An answer in progress. */
export interface Answer {
  text: string;
  /** Names of the tools that it called. */
  tools: readonly string[];
  isRunning: boolean;
  /** A tool call waits for a decision, which is made in the conversation. */
  isWaiting: boolean;
  error?: Failure;
  ids?: { conversationId: string; messageId: string };
}

const SHOW_INTERVAL_MS = 50;
const NEW_ANSWER: Answer = { text: "", tools: [], isRunning: true, isWaiting: false };

interface Opening {
  conversationId: string;
  userMessageId: string;
}

/** Puts one question to two versions of an agent, which answer at the same time. */
export function useComparison(agentId: string) {
  const { answers, current, begin, change } = useAnswers();
  const controller = useRef<AbortController>(undefined);
  useEffect(() => () => controller.current?.abort(), []);

  const read = async (
    side: number,
    events: AnswerEvents,
    onOpening?: (opening: Opening) => void,
  ) => {
    try {
      for await (const batch of events) {
        for (const { event } of batch) {
          if (event.type === "conversation") onOpening?.(event);
          change(side, applied(current()[side] ?? NEW_ANSWER, event));
        }
      }
    } catch (error) {
      if (!controller.current?.signal.aborted) change(side, { error: toFailure(error) });
    } finally {
      change(side, { isRunning: false });
    }
  };

  return {
    answers,
    isRunning: answers.some(({ isRunning }) => isRunning),
    ask(content: string, versions: readonly [number, number]) {
      controller.current?.abort();
      const { signal } = (controller.current = new AbortController());
      begin();
      const [first, second] = versions;
      let isAccepted = false;
      const askSecond = (opening: Opening) => {
        isAccepted = true;
        const { conversationId, userMessageId: messageId } = opening;
        const again = { conversationId, messageId, agentId, agentVersion: second };
        void read(1, askVersionAgain(again, signal));
      };
      const events = askVersion({ agentId, agentVersion: first, content }, signal);
      void read(0, events, askSecond).then(() => {
        if (!isAccepted) change(1, { isRunning: false });
      });
    },
    stop() {
      for (const { ids, isRunning } of current()) {
        // a reply that has ended cannot be stopped
        if (ids && isRunning)
          void stopAnswer(ids.conversationId, ids.messageId).catch(() => {});
      }
    },
  };
}

/** Both answers as they grow; they are shown some times a second. */
function useAnswers() {
  const [answers, setAnswers] = useState<readonly Answer[]>([]);
  const current = useRef<Answer[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const show = () => {
    timer.current = undefined;
    setAnswers([...current.current]);
  };
  return {
    answers,
    /** The answers as they are now, which may not be shown yet. */
    current: (): readonly Answer[] => current.current,
    begin() {
      current.current = [NEW_ANSWER, NEW_ANSWER];
      show();
    },
    change(side: number, next: Partial<Answer>) {
      current.current[side] = { ...(current.current[side] ?? NEW_ANSWER), ...next };
      timer.current ??= setTimeout(show, SHOW_INTERVAL_MS);
    },
  };
}

function applied(answer: Answer, event: ConversationEvent): Partial<Answer> {
  switch (event.type) {
    case "conversation":
      return { ids: event };
    case "text_delta":
      return { text: answer.text + event.delta };
    case "tool_call":
      return { tools: [...answer.tools, event.name] };
    case "approval":
      return { isWaiting: true };
    case "done":
      return { text: event.content, isRunning: false };
    case "error":
      return { error: toReportedFailure(event), isRunning: false };
    default:
      return {};
  }
}
