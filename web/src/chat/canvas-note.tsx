import { Link } from "@tanstack/react-router";
import { NotebookPen } from "lucide-react";
import type { WrittenCanvas } from "./reply-state.ts";
import { useChatTexts } from "./texts.ts";

/** A canvas that an answer wrote: opens it beside the conversation. */
export function CanvasNote({
  canvas: { canvasId, version, title },
  conversationId,
}: {
  canvas: WrittenCanvas;
  conversationId: string;
}) {
  const texts = useChatTexts();
  return (
    <Link
      to="/c/$id/canvas/$canvas"
      params={{ id: conversationId, canvas: canvasId }}
      className={
        "flex min-h-6 items-center gap-1.5 rounded-md border-l-2 border-accent px-2 py-1 " +
        "hover:bg-sunken pointer-coarse:min-h-11"
      }
    >
      <NotebookPen aria-hidden size={13} className="shrink-0 text-accent" />
      <bdi className="min-w-0 truncate font-medium">{title ?? texts.canvas}</bdi>
      <span className="shrink-0 text-muted">{texts.canvasVersion(version)}</span>
    </Link>
  );
}
