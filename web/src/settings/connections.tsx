import { Plug } from "lucide-react";
import { useState } from "react";
import {
  connectAccount,
  connectionsQuery,
  disconnectAccount,
  type ToolConnection,
} from "../shell/connect/account-queries.ts";
import { ValuesDialog } from "../shell/connect/values-dialog.tsx";
import { useChange } from "../shell/use-change.ts";
import { useList } from "../shell/use-list.ts";
import { formatAgo, formatTime } from "../texts/format.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { More } from "../ui/more.tsx";
import { notify } from "../ui/notices.tsx";
import { Section } from "../ui/section.tsx";
import { Loading } from "../ui/loading.tsx";
import { Empty, Problem } from "../ui/states.tsx";
import { ClientGrants } from "./client-grants.tsx";
import { useSettingsTexts } from "./texts.ts";

/** The user's accounts at tool servers that sign users in. */
export function Connections() {
  const { connections: texts } = useSettingsTexts();
  const list = useList(connectionsQuery);
  return (
    <div className="grid gap-8">
      <Section title={texts.title} isNamedAbove hint={texts.hint}>
        {list.isPending && <Loading shape="list" lines={3} />}
        {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
        {list.data?.total === 0 && (
          <Empty icon={Plug} picture="cards" title={texts.empty}>
            {texts.emptyHint}
          </Empty>
        )}
        <ul className="divide-y divide-hairline" aria-label={texts.title}>
          {list.data?.items.map((connection) => (
            <ConnectionRow key={connection.server} connection={connection} />
          ))}
        </ul>
        <More list={list} />
      </Section>
      <ClientGrants />
    </div>
  );
}

const LOOKS = {
  none: "plain",
  connected: "plain",
  expired: "danger",
  incomplete: "warn",
} as const;

function ConnectionRow({ connection }: { connection: ToolConnection }) {
  const { connections: texts } = useSettingsTexts();
  const { server, state, connectedAt, lists, values } = connection;
  const [isFilling, setFilling] = useState(false);
  const isFilled = values.every(({ isSet }) => isSet);
  const connect = useChange({ run: () => connectAccount(server), keys: [] });
  const disconnect = useChange({
    run: () => disconnectAccount(server),
    keys: [connectionsQuery.queryKey],
    onDone: () => notify(texts.disconnected(server)),
  });
  const problem = connect.error ?? disconnect.error;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-3">
      <div className="min-w-0 flex-1 basis-56 max-sm:basis-full">
        <p className="flex items-center gap-2">
          <bdi className="truncate font-medium" title={server}>
            {server}
          </bdi>
          <Badge look={LOOKS[state]} title={texts.stateHints[state]}>
            {texts.states[state]}
          </Badge>
        </p>
        <p
          className="text-xs text-muted"
          title={connectedAt ? formatTime(connectedAt) : ""}
        >
          {connectedAt ? texts.since(formatAgo(connectedAt)) : texts.stateHints[state]}
          {lists && ` · ${texts.lists}`}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        {values.length > 0 && (
          <Button
            look={isFilled ? "secondary" : "primary"}
            onClick={() => setFilling(true)}
            aria-label={`${isFilled ? texts.changeValues : texts.fillIn}: ${server}`}
          >
            {isFilled ? texts.changeValues : texts.fillIn}
          </Button>
        )}
        {isFilled && state !== "connected" && (
          <Button
            look="primary"
            busy={connect.isPending}
            onClick={() => connect.mutate()}
            aria-label={`${texts.connect}: ${server}`}
          >
            {state === "none" ? texts.connect : texts.again}
          </Button>
        )}
        {state !== "none" && (
          <Button
            busy={disconnect.isPending}
            onClick={() => disconnect.mutate()}
            aria-label={`${texts.disconnect}: ${server}`}
          >
            {texts.disconnect}
          </Button>
        )}
      </div>
      {problem && <Problem error={problem} />}
      {isFilling && (
        <ValuesDialog server={server} values={values} onClose={() => setFilling(false)} />
      )}
    </li>
  );
}
