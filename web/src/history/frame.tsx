import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Page } from "../ui/page.tsx";
import { useHistoryTexts } from "./texts.ts";

const TABS = [
  { to: "/history", name: "all" },
  { to: "/trash", name: "trash" },
] as const;

/** What the pages of the history have in common. */
export function Frame({ children }: { children: ReactNode }) {
  const texts = useHistoryTexts();
  return (
    <Page title={texts.title}>
      <div className="mx-auto grid max-w-3xl gap-4">
        <nav aria-label={texts.title} className="flex gap-1 border-b border-hairline">
          {TABS.map(({ to, name }) => (
            <Link
              key={to}
              to={to}
              className={
                "min-h-9 border-b-2 border-transparent px-2 py-2 text-muted hover:text-ink " +
                "data-[status=active]:border-accent data-[status=active]:text-ink " +
                "pointer-coarse:min-h-11"
              }
            >
              {texts.tabs[name]}
            </Link>
          ))}
        </nav>
        {children}
      </div>
    </Page>
  );
}
