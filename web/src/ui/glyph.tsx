import {
  BookOpen,
  Bot,
  Building2,
  Calculator,
  ChartLine,
  Code,
  Files,
  GraduationCap,
  Languages,
  Lightbulb,
  List,
  type LucideIcon,
  Mail,
  PenLine,
  Scale,
  Search,
  ShieldCheck,
  Telescope,
  Users,
  Workflow,
  Wrench,
} from "lucide-react";
import { isEmoji } from "./is-emoji.ts";
import { join } from "./join.ts";
import { tintOf } from "./tint.ts";

/** The icons that have names. A person chooses one of these, or an emoji. */
export const NAMED_ICONS = {
  bot: Bot,
  "book-open": BookOpen,
  building: Building2,
  calculator: Calculator,
  chart: ChartLine,
  code: Code,
  files: Files,
  "graduation-cap": GraduationCap,
  languages: Languages,
  lightbulb: Lightbulb,
  list: List,
  mail: Mail,
  pen: PenLine,
  scale: Scale,
  search: Search,
  shield: ShieldCheck,
  telescope: Telescope,
  users: Users,
  workflow: Workflow,
  wrench: Wrench,
} as const satisfies Record<string, LucideIcon>;
export type IconName = keyof typeof NAMED_ICONS;

function isIconName(value: string | null): value is IconName {
  return value !== null && Object.hasOwn(NAMED_ICONS, value);
}

interface GlyphProps {
  /** An emoji, or the name of an icon. Anything else shows as the first icon. */
  value: string | null;
  /** Of the thing: gives it its tint. */
  id?: string;
  /** Shows its initial in place of the first icon. */
  name?: string;
  size?: keyof typeof SIZES;
}

const SIZES = {
  small: "size-6 rounded-[0.45rem] text-sm",
  medium: "size-8 rounded-[0.55rem] text-base",
  large: "size-10 rounded-[0.7rem] text-xl",
  huge: "size-14 rounded-2xl text-[1.75rem]",
} as const;

/** The tile of a thing, beside its name, so hidden from screen readers. */
export function Glyph({ value, id, name = "", size = "medium" }: GlyphProps) {
  const Icon = isIconName(value) ? NAMED_ICONS[value] : Bot;
  const isText = value !== null && isEmoji(value);
  const [initial] = isIconName(value) ? [] : [...name.trim()];
  return (
    <span
      aria-hidden
      // drawn by the style, so that it is no part of the text
      data-initial={isText ? undefined : initial?.toUpperCase()}
      className={join(
        "inline-flex shrink-0 items-center justify-center leading-none font-semibold",
        "before:content-[attr(data-initial)]",
        SIZES[size],
        id === undefined ? "text-muted" : tintOf(id),
      )}
    >
      {isText && value}
      {!isText && initial === undefined && <Icon className="size-[58%]" />}
    </span>
  );
}
