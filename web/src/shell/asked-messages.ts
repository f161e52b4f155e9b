import { useEffect, useRef } from "react";

type Send = (text: string) => void;

/** The conversations that are open, and how each sends a message. */
const open = new Map<string, Send>();

/** Lets what is beside a conversation send messages in it, while it is shown. */
export function useAskedMessages(conversationId: string | undefined, send: Send): void {
  const latest = useRef(send);
  useEffect(() => {
    latest.current = send;
  });
  useEffect(() => {
    if (conversationId === undefined) return undefined;
    open.set(conversationId, (text) => latest.current(text));
    return () => void open.delete(conversationId);
  }, [conversationId]);
}

/** Sends a message in a conversation that is shown. @returns whether it is. */
export function askConversation(conversationId: string, text: string): boolean {
  const send = open.get(conversationId);
  send?.(text);
  return send !== undefined;
}
