import { useQuery } from "@tanstack/react-query";
import { Link, Navigate, Outlet, useLocation } from "@tanstack/react-router";
import { useId } from "react";
import { Permitted } from "../shell/permitted.tsx";
import { meQuery } from "../shell/queries.ts";
import { useDocumentTitle } from "../ui/document-title.ts";
import { join } from "../ui/join.ts";
import { Page } from "../ui/page.tsx";
import { SideLinks } from "../ui/side-links.tsx";
import { groupParts } from "./part-groups.ts";
import { partAt, PARTS, type Part } from "./parts.ts";
import { useAdminTexts } from "./texts.ts";

/** Administration, divided into the parts that the user's roles permit. */
export function AdminPage() {
  const texts = useAdminTexts();
  const parts = useParts();
  const part = partAt(useLocation().pathname);
  useDocumentTitle(part ? texts.parts[part.label] : "");
  return (
    <Page title={texts.title} width="full">
      <div className="grid gap-x-10 gap-y-4 md:grid-cols-[12rem_minmax(0,1fr)]">
        <SideLinks
          label={texts.title}
          current={part ? texts.parts[part.label] : texts.title}
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
        <div className="grid min-w-0 content-start gap-6">
          <Permitted permission={part?.permission}>
            <Outlet />
          </Permitted>
        </div>
      </div>
    </Page>
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
