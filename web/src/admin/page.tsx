import { useQuery } from "@tanstack/react-query";
import { Link, Navigate, Outlet, useLocation } from "@tanstack/react-router";
import { useId, useState } from "react";
import { Permitted } from "../shell/permitted.tsx";
import { meQuery } from "../shell/queries.ts";
import { join } from "../ui/join.ts";
import { PageFrame, PageTitle } from "../ui/page.tsx";
import { SideLinks } from "../ui/side-links.tsx";
import { groupParts } from "./part-groups.ts";
import { PartActions, type PartThing, PartThingContext } from "./part-section.tsx";
import { partAt, PARTS, type Part } from "./parts.ts";
import { useAdminTexts } from "./texts.ts";

/** Administration, divided into the parts that the user's roles permit. */
export function AdminPage() {
  const texts = useAdminTexts();
  const parts = useParts();
  const part = partAt(useLocation().pathname);
  const [actions, setActions] = useState<HTMLElement | null>(null);
  const [thing, setThing] = useState<PartThing>();
  const title = thing?.title ?? (part ? texts.parts[part.label] : texts.title);
  const isStart = part?.to === parts[0]?.to;
  const up = isStart ? undefined : { to: "/admin", label: texts.title };
  return (
    <PageFrame title={title} back={thing?.back ?? up} width="full">
      <div className="relative grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-3 pt-1 md:grid-cols-[12rem_minmax(0,1fr)] md:pt-3">
        <SideLinks
          label={texts.title}
          current={title}
          className="flex flex-col gap-4 md:-ml-2.5"
        >
          {groupParts(parts).map((group) => (
            <PartGroup
              key={group.name}
              isNamed={group.name !== "start"}
              label={texts.groups[group.name]}
              parts={group.parts}
              open={part}
            />
          ))}
        </SideLinks>
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-3">
          <header className="flex flex-wrap items-start gap-2 md:min-h-9">
            {/* a narrow screen shows it as the button that opens the list of parts */}
            <div className="flex flex-1 basis-48 max-md:sr-only">
              <PageTitle title={title} />
            </div>
            <div ref={setActions} className="flex min-w-0 flex-wrap items-center gap-2" />
          </header>
          <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-6">
            <PartActions value={actions}>
              <PartThingContext value={setThing}>
                <Permitted permission={part?.permission}>
                  <Outlet />
                </Permitted>
              </PartThingContext>
            </PartActions>
          </div>
        </div>
      </div>
    </PageFrame>
  );
}

interface PartGroupProps {
  label: string;
  /** Whether the heading is seen. */
  isNamed: boolean;
  parts: readonly Part[];
  /** The one that is shown; its address may be another one of it. */
  open: Part | undefined;
}

/** Parts that belong together, under a heading where they stand below each other. */
function PartGroup({ label, isNamed, parts, open }: PartGroupProps) {
  const texts = useAdminTexts();
  const id = useId();
  return (
    <div role="group" aria-labelledby={id} className="flex shrink-0 flex-col gap-0.5">
      <span
        id={id}
        className={join(
          "px-2.5 pb-0.5 text-xs font-medium text-muted",
          !isNamed && "sr-only",
        )}
      >
        {label}
      </span>
      {parts.map(({ to, label: name }) => (
        <Link
          key={to}
          to={to}
          aria-current={to === open?.to ? "page" : undefined}
          className={
            "flex min-h-8 shrink-0 items-center rounded-md px-2.5 py-1 hover:bg-hover " +
            "aria-[current=page]:bg-pressed aria-[current=page]:font-medium " +
            "pointer-coarse:min-h-11"
          }
        >
          {texts.parts[name]}
        </Link>
      ))}
    </div>
  );
}

/** Redirects `/admin` to the first part that the user may see. */
export function AdminStart() {
  const [first] = useParts();
  return <Navigate to={first?.to ?? "/"} replace />;
}

function useParts(): readonly Part[] {
  const { data: me } = useQuery(meQuery);
  return PARTS.filter(({ permission }) => me?.permissions.includes(permission));
}
