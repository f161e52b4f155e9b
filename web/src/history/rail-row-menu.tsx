import { useNavigate, useParams } from "@tanstack/react-router";
import type { RecentConversation } from "../shell/queries.ts";
import { ConversationMenu } from "./conversation-menu.tsx";

/**
 * What can be done with a conversation of the rail. It covers the end of the line while the pointer
 * or the focus is there, and on a touch screen always.
 */
export function RailRowMenu({ conversation }: { conversation: RecentConversation }) {
  const { id } = conversation;
  const navigate = useNavigate();
  const { id: openId } = useParams({ strict: false });
  return (
    <span
      className={
        "absolute inset-y-0 right-0.5 grid items-center rounded-md opacity-0 " +
        "group-hover/item:bg-hover group-hover/item:opacity-100 focus-within:bg-hover " +
        "focus-within:opacity-100 has-aria-expanded:opacity-100 pointer-coarse:opacity-100"
      }
    >
      <ConversationMenu
        conversation={conversation}
        onDeleted={() => (openId === id ? navigate({ to: "/" }) : undefined)}
      />
    </span>
  );
}
