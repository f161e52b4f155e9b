import { useQuery } from "@tanstack/react-query";
import { appQuery, meQuery } from "./queries.ts";
import {
  Bot,
  ChartColumn,
  Files,
  History,
  Languages,
  MessageSquare,
  Settings,
  TextQuote,
  Waypoints,
  Workflow,
  ShieldCheck,
  type LucideIcon,
} from "lucide-react";
import type { AppInfo } from "../../../src/services/users/contract-app.ts";
import type { en } from "./texts.ts";

/** The areas that the installation has and the roles of the person permit. */
export function useAreas(): readonly Area[] {
  const { data: me } = useQuery(meQuery);
  const { data: app } = useQuery(appQuery);
  return AREAS.filter(
    ({ permission, feature }) =>
      (!permission || me?.permissions.includes(permission)) &&
      (!feature || app?.features[feature]),
  );
}

/** An area that the rail and the palette lead to. */
export interface Area {
  to: string;
  /** Where the rail has it: in the first list, below "More", or in the menu of the account. */
  place?: "main" | "more" | "account";
  /** Its name in the texts of the shell. */
  label: keyof (typeof en)["areas"];
  icon: LucideIcon;
  /** The permission that the area requires. */
  permission?: string;
  /** Hidden where the installation does not run this. */
  feature?: keyof AppInfo["features"];
}

/** In the order of the rail. To add an area, see web/README.md. */
const AREAS: readonly Area[] = [
  { to: "/", label: "chat", icon: MessageSquare, permission: "conversation:create" },
  { to: "/agents", label: "agents", icon: Bot, permission: "agent:read", place: "main" },
  {
    to: "/documents",
    label: "documents",
    icon: Files,
    permission: "document:read",
    place: "main",
  },
  {
    to: "/automations",
    label: "automations",
    icon: Workflow,
    permission: "automation:read",
    place: "more",
  },
  {
    to: "/flows",
    label: "flows",
    icon: Waypoints,
    permission: "flow:read",
    feature: "flows",
    place: "more",
  },
  {
    to: "/templates",
    label: "templates",
    icon: TextQuote,
    permission: "template:read",
    place: "more",
  },
  {
    to: "/text",
    label: "text",
    icon: Languages,
    permission: "conversion:read",
    place: "more",
  },
  {
    to: "/history",
    label: "history",
    icon: History,
    permission: "conversation:read",
    place: "more",
  },
  {
    to: "/usage",
    label: "usage",
    icon: ChartColumn,
    permission: "usage:read",
    place: "account",
  },
  { to: "/settings", label: "settings", icon: Settings, place: "account" },
  {
    to: "/admin",
    label: "admin",
    icon: ShieldCheck,
    permission: "user:administer",
    place: "account",
  },
];
