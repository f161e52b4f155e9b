import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { formatNumber } from "../../texts/format.ts";
import { Status } from "../../ui/status.tsx";
import { findNeeds } from "./needs.ts";
import type { Overview } from "./use-overview.ts";
import { useOverviewTexts } from "./texts.ts";

/** Numbers of the installation, each a link to its page. */
export function Glance({ known }: { known: Overview }) {
  const texts = useOverviewTexts();
  const { health, queues, providers, servers, users } = known;
  const waiting = queues?.reduce((sum, one) => sum + one.waiting, 0);
  const failingJobs = health?.jobs.filter(({ status }) => status === "failed").length ?? 0;
  const failing = findNeeds({ providers }).length;
  const notReady =
    servers?.filter(({ state }) => state === "down" || state === "signed-out").length ?? 0;
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(13rem,100%),1fr))] gap-3">
      {providers && <Calls providers={providers} />}
      {providers && (
        <Tile
          to="/admin/models/providers"
          name={texts.providers}
          value={providers.length}
          state={failing > 0 ? texts.failing(failing) : texts.allWell}
          isBad={failing > 0}
        />
      )}
      {servers && (
        <Tile
          to="/admin/tools/servers"
          name={texts.servers}
          value={servers.length}
          state={notReady > 0 ? texts.notReady(notReady) : texts.allReady}
          isBad={notReady > 0}
        />
      )}
      {health && (
        <Tile
          to="/admin/system"
          name={texts.jobs}
          value={health.jobs.length}
          state={failingJobs > 0 ? texts.failing(failingJobs) : texts.allWell}
          isBad={failingJobs > 0}
        />
      )}
      {waiting !== undefined && (
        <Tile
          to="/admin/queues"
          name={texts.waiting}
          value={waiting}
          note={texts.inQueues}
        />
      )}
      {users !== undefined && (
        <Tile to="/admin/users" name={texts.users} value={users} note={texts.accounts} />
      )}
    </ul>
  );
}

interface TileProps {
  to: string;
  name: string;
  value: number;
  /** How it is, in words. */
  state?: string;
  isBad?: boolean;
  /** What is counted, where there is no state. */
  note?: string;
  children?: ReactNode;
}

function Tile({ to, name, value, state, isBad = false, note, children }: TileProps) {
  return (
    <li className="flex">
      <Link
        to={to}
        className={
          "grid flex-1 content-start gap-1 rounded-lg border border-hairline bg-raised p-4 " +
          "hover:border-hairline-strong hover:shadow-2"
        }
      >
        <span className="text-sm text-muted">{name}</span>
        <span className="font-serif text-2xl font-semibold tabular-nums">
          {formatNumber(value)}
        </span>
        {state !== undefined && value > 0 && (
          <span className="text-sm">
            <Status kind={isBad ? "down" : "ok"} label={state} />
          </span>
        )}
        {note !== undefined && <span className="text-sm text-muted">{note}</span>}
        {children}
      </Link>
    </li>
  );
}

/** In hundredths of the height: an hour with one call is still seen. */
const LOWEST = 8;

/** The calls of a day, a bar an hour; what failed of them stands below in the list. */
function Calls({ providers }: { providers: NonNullable<Overview["providers"]> }) {
  const texts = useOverviewTexts();
  const hours = providers.reduce<number[]>(
    (sums, { hours: of }) => of.map(({ calls }, at) => calls + (sums[at] ?? 0)),
    [],
  );
  const sum = hours.reduce((before, calls) => before + calls, 0);
  const most = Math.max(1, ...hours);
  return (
    <Tile to="/admin/models/providers" name={texts.calls} value={sum} note={texts.lastDay}>
      <svg
        role="img"
        aria-label={texts.dayChart(formatNumber(sum))}
        viewBox={`0 0 ${Math.max(1, hours.length) * 4 - 1} 100`}
        preserveAspectRatio="none"
        className="mt-1 h-8 w-full fill-chart-1"
      >
        {hours.map((calls, at) => {
          const height = calls === 0 ? 2 : Math.max(LOWEST, (100 * calls) / most);
          return <rect key={at} x={at * 4} y={100 - height} width={3} height={height} />;
        })}
      </svg>
    </Tile>
  );
}
