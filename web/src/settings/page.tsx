import { Link, Outlet } from "@tanstack/react-router";
import { Page } from "../ui/page.tsx";
import { useSettingsTexts } from "./texts.ts";

const TABS = ["profile", "preferences", "security", "keys", "data"] as const;

/** Everything about one's own account, by parts. */
export function SettingsPage() {
  const texts = useSettingsTexts();
  return (
    <Page title={texts.title}>
      <div className="mx-auto max-w-measure">
        <nav
          aria-label={texts.title}
          className="flex gap-1 overflow-x-auto border-b border-hairline pb-px"
        >
          {TABS.map((tab) => (
            <Link
              key={tab}
              to={`/settings/${tab}`}
              className={
                "min-h-9 shrink-0 border-b-2 border-transparent px-2 py-2 text-muted " +
                "hover:text-ink data-[status=active]:border-accent data-[status=active]:text-ink " +
                "pointer-coarse:min-h-11"
              }
            >
              {texts.tabs[tab]}
            </Link>
          ))}
        </nav>
        <div className="grid gap-10 pt-6">
          <Outlet />
        </div>
      </div>
    </Page>
  );
}
