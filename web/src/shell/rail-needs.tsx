import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Inbox } from "lucide-react";
import { useState } from "react";
import { join } from "../ui/join.ts";
import { usePermission } from "./queries.ts";
import { RAIL_ICON, RAIL_ROW } from "./rail-row.ts";
import { useShellTexts } from "./texts.ts";
import { useWhenIdle } from "./use-when-idle.ts";
import { waitingRepliesQuery } from "./waiting-queries.ts";

/** The way to what waits for the person, with the number of decisions. */
export function NeedsLink({ isFolded }: { isFolded: boolean }) {
  const texts = useShellTexts();
  const { count } = useWaiting();
  const name = texts.needsYou;
  return (
    <Link
      to="/needs-you"
      title={isFolded ? name : undefined}
      className={join(RAIL_ROW, isFolded && "justify-center px-0")}
    >
      <Inbox aria-hidden size={16} className={RAIL_ICON} />
      <span className={isFolded ? "sr-only" : "min-w-0 flex-1 truncate"}>{name}</span>
      {count > 0 && <span className="sr-only">{texts.waiting(count)}</span>}
      {count > 0 && <Count count={count} isFolded={isFolded} />}
    </Link>
  );
}

/** For eyes alone. */
function Count({ count, isFolded }: { count: number; isFolded: boolean }) {
  if (isFolded)
    return (
      <span
        aria-hidden
        className="absolute top-1.5 right-2 size-2 rounded-full bg-accent"
      />
    );
  return (
    <span
      aria-hidden
      className={
        "min-w-5 shrink-0 rounded-full bg-accent-soft px-1.5 text-center text-xs leading-5 " +
        "font-semibold text-accent tabular-nums"
      }
    >
      {count}
    </span>
  );
}

/** How many decisions wait, and in which conversations; asked once nothing else is to do. */
export function useWaiting(): { count: number; conversations: ReadonlySet<string> } {
  const mayDecide = usePermission("tool:approve");
  const [isIdle, setIdle] = useState(false);
  useWhenIdle(() => setIdle(true));
  const { data } = useInfiniteQuery(waitingRepliesQuery(mayDecide && isIdle));
  return {
    count: data?.total ?? 0,
    conversations: new Set(data?.items.map(({ conversationId }) => conversationId)),
  };
}
