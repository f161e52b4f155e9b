import { useQuery } from "@tanstack/react-query";
import { Outlet, useParams } from "@tanstack/react-router";
import { Loading } from "../../ui/loading.tsx";
import { Problem } from "../../ui/states.tsx";
import { TabLinks } from "../../ui/tab-links.tsx";
import { usePartThing } from "../part-section.tsx";
import { userQuery } from "./queries.ts";
import { useUserTexts } from "./texts.ts";

/** One user, by parts. */
export function UserPage() {
  const texts = useUserTexts();
  const { id } = useParams({ from: "/app/admin/users/$id" });
  const { data: user, error, refetch } = useQuery(userQuery(id));
  usePartThing(user?.name, "/admin/users", texts.all);
  const tabs = (["account", "access"] as const).map((tab) => ({
    to: `/admin/users/${id}/${tab}`,
    label: texts.tabs[tab],
  }));
  return (
    <div className="grid min-w-0 gap-4">
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!user && !error && <Loading shape="fields" lines={4} />}
      {user && (
        <>
          <p className="-mt-2 truncate text-muted" title={user.email}>
            <bdi>{user.email}</bdi>
          </p>
          <TabLinks label={texts.tabsLabel} tabs={tabs} />
          <div className="grid min-w-0 gap-10 pt-2">
            <Outlet />
          </div>
        </>
      )}
    </div>
  );
}
