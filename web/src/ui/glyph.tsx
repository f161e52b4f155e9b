import {
  BookOpen,
  Bot,
  Building2,
  Calculator,
  ChartLine,
  Code,
  GraduationCap,
  Languages,
  Lightbulb,
  type LucideIcon,
  Mail,
  PenLine,
  Scale,
  Search,
  ShieldCheck,
  Users,
  Workflow,
  Wrench,
} from "lucide-react";
import { isEmoji } from "./is-emoji.ts";

/** The icons that have names. A person chooses one of these, or an emoji. */
export const NAMED_ICONS = {
  bot: Bot,
  "book-open": BookOpen,
  building: Building2,
  calculator: Calculator,
  chart: ChartLine,
  code: Code,
  "graduation-cap": GraduationCap,
  languages: Languages,
  lightbulb: Lightbulb,
  mail: Mail,
  pen: PenLine,
  scale: Scale,
  search: Search,
  shield: ShieldCheck,
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
  size?: number;
}

/** The picture of a thing, beside its name, so hidden from screen readers. */
export function Glyph({ value, size = 18 }: GlyphProps) {
  const Icon = isIconName(value) ? NAMED_ICONS[value] : Bot;
  const isText = value !== null && isEmoji(value);
  return (
    <span
      aria-hidden
      className="inline-flex size-7 shrink-0 items-center justify-center rounded-md text-muted"
    >
      {isText ? (
        <span className="text-lg leading-none">{value}</span>
      ) : (
        <Icon size={size} strokeWidth={1.5} />
      )}
    </span>
  );
}
