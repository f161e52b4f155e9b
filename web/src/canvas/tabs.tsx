import { Link } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { canvasQuery } from "./queries.ts";
import { useCanvasTexts } from "./texts.ts";

const TAB =
  "flex min-h-11 pointer-coarse:min-h-14 min-w-0 flex-1 items-center justify-center border-b-2 px-2 text-muted " +
  "border-transparent data-[on=true]:border-accent data-[on=true]:text-ink";

/** On a narrow screen: the conversation, or the canvas beside it. */
export function CanvasTabs({ canvasId, isChat }: { canvasId: string; isChat: boolean }) {
  const texts = useCanvasTexts();
  const { data } = useQuery(canvasQuery(canvasId));
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
        <bdi className="truncate">{data?.title ?? "…"}</bdi>
      </Link>
    </nav>
  );
}
