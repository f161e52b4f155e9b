import { Link, useSearch } from "@tanstack/react-router";
import { Users } from "lucide-react";
import { SHARED_PATHS } from "../shell/shared-title-queries.ts";
import { useList } from "../shell/use-list.ts";
import { formatTime } from "../texts/format.ts";
import { isolate } from "../texts/isolate.ts";
import { join } from "../ui/join.ts";
import { More } from "../ui/more.tsx";
import { Loading } from "../ui/loading.tsx";
import { Empty, Problem } from "../ui/states.tsx";
import { Canvases } from "./canvases.tsx";
import { Frame } from "./frame.tsx";
import { SHARED_KINDS, type SharedKind } from "./shared-kinds.ts";
import { type SharedThing, sharedQuery } from "./shared-queries.ts";
import { useHistoryTexts } from "./texts.ts";

/** What others share, by kind: whose it is, in which role, and through which shares. */
export function SharedPage() {
  const texts = useHistoryTexts();
  const { kind = "conversation" } = useSearch({ from: "/app/shared" });
  return (
    <Frame>
      <nav aria-label={texts.sharedKinds} className="flex flex-wrap gap-2">
        {SHARED_KINDS.map((one) => (
          <Link
            key={one}
            to="/shared"
            search={{ kind: one }}
            aria-current={one === kind ? "page" : undefined}
            className={join(
              "inline-flex min-h-8 items-center rounded-md border px-3 pointer-coarse:min-h-11",
              one === kind ? "border-accent text-accent" : "border-hairline hover:bg-hover",
            )}
          >
            {texts.kinds[one]}
          </Link>
        ))}
      </nav>
      {kind === "canvas" ? <Canvases scope="shared" /> : <Things key={kind} kind={kind} />}
    </Frame>
  );
}

function Things({ kind }: { kind: Exclude<SharedKind, "canvas"> }) {
  const list = useList(sharedQuery(kind));
  return (
    <>
      {list.isPending && <Loading shape="list" lines={6} />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {list.data?.items.length === 0 && !list.hasNextPage && <NothingShared />}
      <ul className="divide-y divide-hairline">
        {list.data?.items.map((thing) => (
          <Thing key={thing.id} thing={thing} kind={kind} />
        ))}
      </ul>
      <More list={list} />
    </>
  );
}

function NothingShared() {
  const texts = useHistoryTexts();
  return (
    <Empty icon={Users} picture="rows" title={texts.sharedEmpty}>
      {texts.sharedEmptyHint}
    </Empty>
  );
}

interface ThingProps {
  thing: SharedThing;
  kind: Exclude<SharedKind, "canvas">;
}

function Thing({ thing, kind }: ThingProps) {
  const texts = useHistoryTexts();
  const { id, title, role, ownerName } = thing;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-0.5 py-2">
      <Link
        to={SHARED_PATHS[kind] + id}
        className={
          "flex min-h-6 items-center font-medium hover:underline " +
          "pointer-coarse:-my-2 pointer-coarse:min-h-11"
        }
      >
        <bdi className="truncate">{title || texts.untitled}</bdi>
      </Link>
      <p className="flex flex-wrap gap-x-2 text-xs text-muted">
        <bdi>{texts.ownedBy(ownerName ?? texts.gone)}</bdi>
        <span>{texts.roles[role]}</span>
      </p>
      <Through shares={thing.through} />
    </li>
  );
}

/** Why the user sees it: each share that grants access. */
function Through({ shares }: { shares: SharedThing["through"] }) {
  const texts = useHistoryTexts();
  return (
    <ul className="text-xs text-muted">
      {shares.map(({ subjectType, name, grantedByName, createdAt }) => (
        <li
          key={`${subjectType} ${name}`}
          title={formatTime(createdAt)}
          className="wrap-anywhere"
        >
          <bdi>
            {subjectType === "group"
              ? texts.throughGroup(isolate(name), isolate(grantedByName ?? texts.gone))
              : texts.throughYou(isolate(grantedByName ?? texts.gone))}
          </bdi>
        </li>
      ))}
    </ul>
  );
}
