import { useNavigate } from "@tanstack/react-router";
import { CanvasPane } from "./pane.tsx";
import { CanvasTabs } from "./tabs.tsx";

interface BesideProps {
  conversationId: string;
  canvasId: string;
  /** On a narrow screen the conversation is shown instead. */
  isChat: boolean;
}

/** A canvas at the right of its conversation; on a narrow screen, one of two tabs. */
export function CanvasBeside({ conversationId, canvasId, isChat }: BesideProps) {
  const navigate = useNavigate();
  const close = () => void navigate({ to: "/c/$id", params: { id: conversationId } });
  return (
    <>
      <div className="order-first lg:hidden">
        <CanvasTabs canvasId={canvasId} isChat={isChat} />
      </div>
      <div
        className={
          (isChat ? "hidden lg:block " : "") +
          "min-h-0 min-w-0 flex-1 border-hairline lg:flex-3 lg:border-l print:hidden"
        }
      >
        <CanvasPane key={canvasId} canvasId={canvasId} hasTabs onClose={close} />
      </div>
    </>
  );
}
