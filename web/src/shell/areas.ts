import {
  Bot,
  ChartColumn,
  FileText,
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
import type { en } from "./texts.en.ts";

/** An area that the rail and the palette lead to. */
export interface Area {
  to: string;
  /** Its name in the texts of the shell. */
  label: keyof (typeof en)["areas"];
  icon: LucideIcon;
  /** The permission that the area requires. */
  permission?: string;
  /** Hidden where the installation does not run this. */
  feature?: keyof AppInfo["features"];
}

/** In the order of the rail. To add an area, see web/README.md. */
export const AREAS: readonly Area[] = [
  { to: "/", label: "chat", icon: MessageSquare, permission: "conversation:create" },
  { to: "/history", label: "history", icon: History, permission: "conversation:read" },
  { to: "/agents", label: "agents", icon: Bot, permission: "agent:read" },
  { to: "/documents", label: "documents", icon: FileText, permission: "document:read" },
  { to: "/templates", label: "templates", icon: TextQuote, permission: "template:read" },
  { to: "/text", label: "text", icon: Languages, permission: "conversion:read" },
  {
    to: "/flows",
    label: "flows",
    icon: Waypoints,
    permission: "flow:read",
    feature: "flows",
  },
  {
    to: "/automations",
    label: "automations",
    icon: Workflow,
    permission: "automation:read",
  },
  { to: "/usage", label: "usage", icon: ChartColumn, permission: "usage:read" },
  { to: "/settings", label: "settings", icon: Settings },
  { to: "/admin", label: "admin", icon: ShieldCheck, permission: "user:administer" },
];
