import { useNavigate, Link } from "@tanstack/react-router";
import { CanvasPane } from "./pane.tsx";
import { useCanvasTexts } from "./texts.ts";

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
        <CanvasTabs isChat={isChat} />
      </div>
      <div
        className={
          (isChat ? "hidden lg:block " : "") +
          "min-h-0 min-w-0 flex-1 border-hairline lg:border-l print:hidden"
        }
      >
        <CanvasPane key={canvasId} canvasId={canvasId} isBeside onClose={close} />
      </div>
    </>
  );
}

const TAB =
  "flex min-h-11 pointer-coarse:min-h-14 min-w-0 flex-1 items-center justify-center border-b-2 px-2 text-muted " +
  "border-transparent data-[on=true]:border-accent data-[on=true]:text-ink";

/** On a narrow screen: the conversation, or the canvas beside it. */
function CanvasTabs({ isChat }: { isChat: boolean }) {
  const texts = useCanvasTexts();
  return (
    <nav
      aria-label={texts.sides}
      className="flex border-b border-hairline pl-12 pointer-coarse:pl-14 md:pl-0 lg:hidden print:hidden"
    >
      <Link
        to="."
        search={(search: object) => ({ ...search, side: "chat" as const })}
        data-on={isChat}
        aria-current={isChat ? "page" : undefined}
        className={TAB}
      >
        {texts.chat}
      </Link>
      <Link
        to="."
        search={({ side: _, ...search }: { side?: string }) => search}
        data-on={!isChat}
        aria-current={isChat ? undefined : "page"}
        className={TAB}
      >
        {texts.canvas}
      </Link>
    </nav>
  );
}
