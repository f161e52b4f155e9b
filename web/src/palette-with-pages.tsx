import { useQuery } from "@tanstack/react-query";
import { useModelTexts } from "./admin/models/texts.ts";
import { PARTS } from "./admin/parts.ts";
import { useAdminTexts } from "./admin/texts.ts";
import { useToolTexts } from "./admin/tools/texts.ts";
import { useUserTexts } from "./admin/users/texts.ts";
import { useAutomationTexts } from "./automations/texts.ts";
import { useHistoryTexts } from "./history/texts.ts";
import { TABS } from "./settings/tabs.ts";
import { useSettingsTexts } from "./settings/texts.ts";
import { Palette, type PaletteProps } from "./shell/palette.tsx";
import type { PalettePage } from "./shell/palette-page.ts";
import { meQuery } from "./shell/queries.ts";
import { useShellTexts } from "./shell/texts.ts";
import { useUsageTexts } from "./usage/texts.ts";

/** The palette with the pages of all areas, which the shell does not know. */
export function PaletteWithPages(props: Omit<PaletteProps, "pages">) {
  return <Palette {...props} pages={usePages()} />;
}

/** The pages below the areas, as far as the roles of the person permit. */
function usePages(): readonly PalettePage[] {
  const { data: me } = useQuery(meQuery);
  const { areas, needsYou } = useShellTexts();
  const settings = useSettingsTexts();
  const admin = useAdminTexts();
  const { tabs: history } = useHistoryTexts();
  const { tabs: automations } = useAutomationTexts();
  const usage = useUsageTexts();
  const models = useModelTexts();
  const tools = useToolTexts();
  const users = useUserTexts();
  const pages: readonly (PalettePage & { permission?: string })[] = [
    { to: "/needs-you", label: needsYou },
    ...TABS.map((tab) => ({
      to: `/settings/${tab}`,
      label: settings.tabs[tab],
      area: areas.settings,
    })),
    // fields of the page, by whose names people look for it
    ...(["language", "textSize", "density", "model"] as const).map((field) => ({
      to: "/settings/preferences",
      label: settings.preferences[field],
      area: areas.settings,
    })),
    ...PARTS.map(({ to, label, permission }) => ({
      to,
      label: admin.parts[label],
      area: areas.admin,
      permission,
    })),
    ...[
      {
        to: "/admin/models/providers",
        label: models.tabs.providers,
        permission: "model:administer",
      },
      {
        to: "/admin/tools/list",
        label: tools.tabs.list,
        permission: "tool:administer",
      },
      ...(["external", "deleted", "provisioning"] as const).map((kind) => ({
        to: `/admin/users/${kind}`,
        label: users.kinds[kind],
        permission: "user:administer",
      })),
    ].map((page) => ({ ...page, area: areas.admin })),
    ...[
      { to: "/canvases", label: history.canvases, permission: "canvas:read" },
      { to: "/shared", label: history.shared, permission: "share:read" },
      { to: "/trash", label: history.trash, permission: "conversation:read" },
      { to: "/trash/canvases", label: history.canvasTrash, permission: "canvas:read" },
      { to: "/trash/agents", label: history.agents, permission: "agent:read" },
    ].map((page) => ({ ...page, area: areas.history })),
    ...(["runs", "sources", "schedules"] as const).map((tab) => ({
      to: `/automations/${tab}`,
      label: automations[tab],
      area: areas.automations,
      permission: "automation:read",
    })),
    {
      to: "/usage/budgets",
      label: usage.tabs.budgets,
      area: areas.usage,
      permission: "budget:administer",
    },
  ];
  return pages.filter(
    ({ permission }) => !permission || me?.permissions.includes(permission),
  );
}
