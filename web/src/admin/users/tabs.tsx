import { TabLinks } from "../../ui/tab-links.tsx";
import { useUserTexts } from "./texts.ts";

/** Accounts of this installation, and those that another issuer signs in. */
export function UserTabs() {
  const texts = useUserTexts();
  const tabs = [
    { to: "/admin/users", label: texts.kinds.own, isExact: true },
    { to: "/admin/users/external", label: texts.kinds.external },
    { to: "/admin/users/deleted", label: texts.kinds.deleted },
  ];
  return <TabLinks label={texts.title} tabs={tabs} />;
}
