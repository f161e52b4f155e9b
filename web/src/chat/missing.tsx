import { Link } from "@tanstack/react-router";
import { MessageCircleOff } from "lucide-react";
import { toFailure } from "../api/failure.ts";
import { Empty, Problem } from "../ui/states.tsx";
import { useChatTexts } from "./texts.ts";

/** In place of a conversation: why it cannot be shown, and the way on. */
export function Missing({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const texts = useChatTexts();
  const { status } = toFailure(error);
  if (status === 404 || status === 400)
    return (
      <Empty
        icon={MessageCircleOff}
        title={texts.gone}
        action={
          <Link to="/" className="text-accent underline">
            {texts.newTitle}
          </Link>
        }
      >
        {texts.goneHint}
      </Empty>
    );
  return (
    <div className="mx-auto max-w-measure p-4 pt-16">
      <Problem error={error} onRetry={onRetry} />
    </div>
  );
}
