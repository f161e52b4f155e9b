import { MessageCircleOff } from "lucide-react";
import { Absent } from "../ui/states.tsx";
import { useChatTexts } from "./texts.ts";

/** In place of a conversation: why it cannot be shown, and the way on. */
export function Missing(failure: { error: unknown; onRetry: () => void }) {
  const texts = useChatTexts();
  return (
    <Absent
      {...failure}
      icon={MessageCircleOff}
      title={texts.gone}
      hint={texts.goneHint}
      link={{ to: "/", label: texts.newTitle }}
    />
  );
}
