import { Link, useLocation, useRouteContext } from "@tanstack/react-router";
import { Ellipsis, PanelLeft, Search, SquarePen, X, LoaderCircle } from "lucide-react";
import { awaitsFirst } from "./awaits-first.ts";
import { Key } from "../ui/key.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { join } from "../ui/join.ts";
import { describeKey } from "./keys.ts";
import { ProductName } from "./product-name.tsx";
import { AccountMenu } from "./rail-account.tsx";
import { NeedsLink, useWaiting } from "./rail-needs.tsx";
import { RAIL_ICON, RAIL_ROW } from "./rail-row.ts";
import { useShellTexts } from "./texts.ts";
import { type Area, useAreas } from "./use-areas.ts";
import { useKept } from "./use-kept.ts";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useId, useState } from "react";
import { Loading } from "../ui/loading.tsx";
import { groupByDay } from "./group-by-day.ts";
import {
  pinnedQuery,
  type RecentConversation,
  recentQuery,
  usePermission,
} from "./queries.ts";
import { useWhenIdle } from "./use-when-idle.ts";

interface RailProps {
  onSearch: () => void;
  onShowKeys: () => void;
  /** Shows icons alone. */
  isFolded?: boolean;
  /** Folds and unfolds it; absent where it lies over the page. */
  onFold?: (() => void) | undefined;
  /** Closes it, where it lies over the page. */
  onClose?: (() => void) | undefined;
}

/**
 * What begins something, the areas, and the conversations; at the foot the account.
 */
export function Rail(props: RailProps) {
  const { onSearch, onShowKeys, isFolded = false } = props;
  const texts = useShellTexts();
  const areas = useAreas();
  const row = join(RAIL_ROW, isFolded && "justify-center px-0");
  const label = isFolded ? "sr-only" : "min-w-0 flex-1 truncate";
  return (
    <nav
      aria-label={texts.menu}
      className={join("flex h-full min-h-0 flex-col bg-rail", isFolded ? "w-14" : "w-full")}
    >
      <Head {...props} isFolded={isFolded} />
      <div className="grid gap-0.5 px-2.5 pt-1 pb-2">
        <Link
          to="/"
          title={isFolded ? texts.newConversation : undefined}
          activeOptions={{ exact: true }}
          className={
            "mb-1 flex min-h-9 items-center gap-2.5 rounded-md bg-accent-soft px-2.5 " +
            "font-semibold text-accent hover:bg-accent-line/50 pointer-coarse:min-h-11" +
            (isFolded ? " justify-center" : "")
          }
        >
          <SquarePen aria-hidden size={16} className="shrink-0" />
          <span className={label}>{texts.newConversation}</span>
        </Link>
        <button
          type="button"
          onClick={onSearch}
          title={isFolded ? texts.search : undefined}
          className={join(row, "text-left")}
        >
          <Search aria-hidden size={16} className={RAIL_ICON} />
          <span className={label}>{texts.search}</span>
          {!isFolded && (
            <span className="pointer-coarse:hidden">
              <Key>{describeKey("mod+k")}</Key>
            </span>
          )}
        </button>
        <NeedsLink isFolded={isFolded} />
      </div>
      <div className="grid gap-0.5 px-2.5 pb-2">
        {areas
          .filter(({ place }) => place === "main")
          .map((area) => (
            <RailLink key={area.to} area={area} isFolded={isFolded} />
          ))}
        <MoreAreas
          areas={areas.filter(({ place }) => place === "more")}
          isFolded={isFolded}
        />
      </div>
      {isFolded ? <div className="flex-1" /> : <RailConversations />}
      <AccountMenu onShowKeys={onShowKeys} isFolded={isFolded} />
    </nav>
  );
}

function Head({ isFolded, onFold, onClose }: RailProps) {
  const texts = useShellTexts();
  const fold = isFolded ? texts.unfold : texts.fold;
  return (
    <div
      className={join(
        "flex shrink-0 items-center gap-2",
        isFolded ? "flex-col pt-3.5 pb-1" : "h-13 pr-2.5 pl-4",
      )}
    >
      <Link
        to="/"
        className={join(
          "flex min-h-7 min-w-0 items-center font-serif text-lg font-semibold",
          !isFolded && "flex-1",
        )}
      >
        <ProductName hidesName={isFolded ?? false} />
      </Link>
      {onFold && <IconButton icon={PanelLeft} label={fold} onClick={onFold} />}
      {onClose && <IconButton icon={X} label={texts.closeMenu} onClick={onClose} />}
    </div>
  );
}

interface RailLinkProps {
  area: Area;
  isFolded?: boolean;
}

function RailLink({ area: { to, label, icon: Icon }, isFolded = false }: RailLinkProps) {
  const texts = useShellTexts();
  const name = texts.areas[label];
  return (
    <Link
      to={to}
      title={isFolded ? name : undefined}
      className={join(RAIL_ROW, isFolded && "justify-center px-0")}
    >
      <Icon aria-hidden size={16} className={RAIL_ICON} />
      <span className={isFolded ? "sr-only" : "min-w-0 truncate"}>{name}</span>
    </Link>
  );
}

/** The areas that are used less, folded below the others. Folded, they all stand there. */
function MoreAreas({ areas, isFolded }: { areas: readonly Area[]; isFolded: boolean }) {
  const texts = useShellTexts();
  const { pathname } = useLocation();
  const [isOpen, setOpen] = useKept("more");
  if (areas.length === 0) return null;
  const links = areas.map((area) => (
    <RailLink key={area.to} area={area} isFolded={isFolded} />
  ));
  if (isFolded) return links;
  // the open room is always in sight
  const isInside = areas.some(({ to }) => pathname === to || pathname.startsWith(`${to}/`));
  return (
    <details
      open={isOpen || isInside}
      onToggle={({ currentTarget: { open } }) =>
        open !== isOpen && !isInside && setOpen(open)
      }
      className="grid gap-0.5 details-content:grid details-content:gap-0.5"
    >
      <summary className={join(RAIL_ROW, "list-none")}>
        <Ellipsis aria-hidden size={16} className={RAIL_ICON} />
        {texts.moreAreas}
      </summary>
      {links}
    </details>
  );
}

/** The conversations that are pinned, and those used last by when that was. */
function RailConversations() {
  const texts = useShellTexts();
  const mayRead = usePermission("conversation:read");
  const waiting = useWaiting().conversations;
  const recents = useQuery({ ...recentQuery, enabled: mayRead });
  const { data } = recents;
  const pins = useQuery({ ...pinnedQuery, enabled: mayRead });
  // what comes later must not move what is there
  const isWhole = !awaitsFirst(recents) && !awaitsFirst(pins);
  const pinned = (isWhole && pins.data?.items) || [];
  const recent =
    (isWhole && data?.items.filter((conversation) => !conversation.pinned)) || [];
  if (!mayRead) return <div className="flex-1" />;
  return (
    <div
      className={
        "fade-ends grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] content-start gap-4 " +
        "overflow-x-hidden overflow-y-auto px-2.5 pt-4 pb-8"
      }
    >
      {pinned.length > 0 && (
        <Group title={texts.pinned} conversations={pinned} waiting={waiting} />
      )}
      {!isWhole && <Loading shape="menu" />}
      {isWhole && data?.items.length === 0 && (
        <p className="px-2.5 text-sm text-muted">{texts.noConversations}</p>
      )}
      {groupByDay(recent).map(({ day, items }) => (
        <Group key={day} title={texts.days[day]} conversations={items} waiting={waiting} />
      ))}
    </div>
  );
}

interface GroupProps {
  title: string;
  conversations: readonly RecentConversation[];
  /** Ids of conversations that wait for a decision. */
  waiting: ReadonlySet<string>;
}

function Group({ title, conversations, waiting }: GroupProps) {
  const titleId = useId();
  return (
    <section aria-labelledby={titleId} className="min-w-0">
      <h2
        id={titleId}
        className="px-2.5 pb-1.5 font-sans text-xs font-medium tracking-normal text-muted"
      >
        {title}
      </h2>
      <ul>
        {conversations.map((conversation) => (
          <Row
            key={conversation.id}
            conversation={conversation}
            isWaiting={waiting.has(conversation.id)}
          />
        ))}
      </ul>
    </section>
  );
}

interface RowProps {
  conversation: RecentConversation;
  isWaiting: boolean;
}

function Row({ conversation, isWaiting }: RowProps) {
  const texts = useShellTexts();
  const [isIdle, setIdle] = useState(false);
  useWhenIdle(() => setIdle(true));
  const { RailRowMenu } = useRouteContext({ from: "__root__" });
  const { id, running } = conversation;
  const name = conversation.title || texts.newConversation;
  return (
    <li className="group/item relative">
      <Link
        to="/c/$id"
        params={{ id }}
        className={`${RAIL_ROW} min-h-8 pointer-coarse:pr-11`}
        title={name}
      >
        <bdi className="fade-end min-w-0 flex-1">{name}</bdi>
        {running && (
          <span
            role="img"
            aria-label={texts.isAnswering}
            title={texts.isAnswering}
            className="shrink-0 text-accent"
          >
            <LoaderCircle aria-hidden size={14} className="animate-spin" />
          </span>
        )}
        {isWaiting && !running && (
          <span
            role="img"
            aria-label={texts.isWaiting}
            title={texts.isWaiting}
            className="mr-1 size-2 shrink-0 rounded-full bg-accent"
          />
        )}
      </Link>
      <Suspense fallback={null}>
        {isIdle && <RailRowMenu conversation={conversation} />}
      </Suspense>
    </li>
  );
}
