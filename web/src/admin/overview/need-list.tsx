import { Link } from "@tanstack/react-router";
import {
  ChevronRight,
  CircleCheck,
  Cpu,
  Inbox,
  type LucideIcon,
  Server,
  Timer,
  Wallet,
  Wrench,
} from "lucide-react";
import { formatAgo, formatNumber } from "../../texts/format.ts";
import { nameOf } from "../../texts/name-of.ts";
import { join } from "../../ui/join.ts";
import { useQueueTexts } from "../queues/texts.ts";
import { useSystemTexts } from "../system/texts.ts";
import type { Need } from "./needs.ts";
import { useOverviewTexts } from "./texts.ts";

const ICONS: Record<Need["kind"], LucideIcon> = {
  part: Server,
  job: Timer,
  unreachable: Server,
  deadLetters: Inbox,
  provider: Cpu,
  server: Wrench,
  withheld: Wrench,
  budget: Wallet,
};

/** What needs attention, each a link to where it is mended. */
export function NeedList({ needs }: { needs: readonly Need[] }) {
  const texts = useOverviewTexts();
  if (needs.length === 0)
    return (
      <div className="flex items-center gap-3 rounded-lg border border-hairline bg-raised p-4">
        <CircleCheck aria-hidden size={20} className="shrink-0 text-ok" />
        <div>
          <p className="font-medium">{texts.nothing}</p>
          <p className="text-sm text-muted">{texts.nothingHint}</p>
        </div>
      </div>
    );
  return (
    <ul className="divide-y divide-hairline overflow-hidden rounded-lg border border-hairline bg-raised">
      {needs.map((need, at) => (
        <NeedRow key={at} need={need} />
      ))}
    </ul>
  );
}

function NeedRow({ need }: { need: Need }) {
  const { title, detail, to } = useWords()(need);
  const Icon = ICONS[need.kind];
  return (
    <li>
      <Link
        to={to}
        className="flex min-h-14 items-center gap-3 px-4 py-2 -outline-offset-2 hover:bg-hover"
      >
        <span
          aria-hidden
          className={join(
            "grid size-8 shrink-0 place-items-center rounded-full",
            need.isUrgent ? "bg-danger-soft text-danger" : "bg-warn-soft text-warn",
          )}
        >
          <Icon size={16} />
        </span>
        <span className="min-w-0 flex-1 wrap-anywhere">
          <span className="block font-medium">{title}</span>
          <span className="block text-sm text-muted">{detail}</span>
        </span>
        <ChevronRight
          aria-hidden
          size={16}
          className="shrink-0 text-muted rtl:rotate-180"
        />
      </Link>
    </li>
  );
}

interface Words {
  title: string;
  detail: string;
  to: string;
}

function useWords(): (need: Need) => Words {
  const { needed, detail } = useOverviewTexts();
  const system = useSystemTexts();
  const queues = useQueueTexts();
  const part = (name: string) => nameOf(system.names, name);
  return (need) => {
    switch (need.kind) {
      case "part":
        return {
          title:
            need.status === "down"
              ? needed.partDown(part(need.name))
              : needed.part(part(need.name)),
          detail: detail.part,
          to: "/admin/system",
        };
      case "job":
        return {
          title: needed.job(nameOf(system.jobNames, need.name)),
          detail: detail.job,
          to: "/admin/system",
        };
      case "unreachable":
        return {
          title: needed.unreachable(need.services),
          detail: detail.unreachable,
          to: "/admin/system",
        };
      case "deadLetters":
        return {
          title: needed.deadLetters(nameOf(queues.names, need.name)),
          detail: detail.deadLetters(formatNumber(need.count)),
          to: `/admin/queues/${encodeURIComponent(need.name)}`,
        };
      case "provider":
        return {
          title: needed.provider(need.name),
          detail: detail.provider(formatAgo(need.at)),
          to: "/admin/models/providers",
        };
      case "server":
        return need.state === "down"
          ? {
              title: needed.serverDown(need.name),
              detail: detail.serverDown,
              to: "/admin/tools/servers",
            }
          : {
              title: needed.serverSignedOut(need.name),
              detail: detail.serverSignedOut,
              to: "/admin/tools/servers",
            };
      case "withheld":
        return {
          title: needed.withheld(need.count),
          detail: detail.withheld,
          to: "/admin/tools/changed",
        };
      case "budget":
        return {
          title:
            need.share >= 1 ? needed.budgetUsedUp(need.name) : needed.budget(need.name),
          detail: detail.budget(
            formatNumber(need.share, { style: "percent", maximumFractionDigits: 0 }),
          ),
          to: "/usage/budgets",
        };
    }
  };
}
