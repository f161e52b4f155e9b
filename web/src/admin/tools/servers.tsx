import {
  KeyRound,
  Plug,
  RefreshCw,
  Wrench,
  Eye,
  EyeOff,
  Pencil,
  Trash2,
  Plus,
} from "lucide-react";
import { useState } from "react";
import { connectForAll } from "../../shell/connect/account-queries.ts";
import { ValuesDialog } from "../../shell/connect/values-dialog.tsx";
import { useChange } from "../../shell/use-change.ts";
import { useList } from "../../shell/use-list.ts";
import { Button } from "../../ui/button.tsx";
import { More } from "../../ui/more.tsx";
import { notify, notifyFailure } from "../../ui/notices.tsx";
import { PartSection } from "../part-section.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Empty, Problem } from "../../ui/states.tsx";
import {
  createServer,
  refresh,
  serversQuery,
  statesQuery,
  type ServerState,
  type ToolServer,
  changeServer,
  deleteServer,
  findServer,
} from "./queries.ts";
import { ServerDialog } from "./server-dialog.tsx";
import { useToolTexts } from "./texts.ts";
import { Link, useNavigate } from "@tanstack/react-router";
import { toReportedFailure } from "../../api/failure.ts";
import { useErrorText } from "../../texts/errors.ts";
import { Glyph } from "../../ui/glyph.tsx";
import { Status } from "../../ui/status.tsx";
import { Badge } from "../../ui/badge.tsx";
import { useOwnChanges } from "../../shell/use-own-changes.ts";
import { ActionsMenu } from "../../ui/actions-menu.tsx";
import { ConfirmChange } from "../../shell/confirm-change.tsx";
import type { MenuItem } from "../../ui/menu.tsx";
import { toUnchanged } from "./server-fields.ts";

/** The servers whose tools answers may use. */
export function ToolServers() {
  const texts = useToolTexts();
  const { list, states, rows, isKnown, isEmpty } = useServers();
  const [isAdding, setAdding] = useState(false);
  const again = useChange({
    run: refresh,
    keys: [["tool-servers"]],
    onDone: () => notify(texts.refreshed),
  });
  const error = list.error ?? states.error ?? again.error;
  const add = (
    <Button look="primary" onClick={() => setAdding(true)}>
      <Plus aria-hidden size={16} />
      {texts.add}
    </Button>
  );
  return (
    <PartSection
      title={texts.tabs.servers}
      hint={texts.serversHint}
      actions={
        isKnown &&
        !isEmpty && (
          <div className="flex flex-wrap gap-2">
            <Button look="quiet" busy={again.isPending} onClick={() => again.mutate()}>
              <RefreshCw aria-hidden size={15} />
              {texts.refresh}
            </Button>
            {add}
          </div>
        )
      }
    >
      {list.isPending && <Loading shape="list" lines={4} />}
      {error && <Problem error={error} onRetry={() => void list.refetch()} />}
      {isEmpty && (
        <Empty icon={Wrench} picture="rows" title={texts.noServers} action={add}>
          {texts.noServersHint}
        </Empty>
      )}
      <ul className="divide-y divide-hairline">
        {rows.map(({ name, server, state }) => (
          <ServerRow key={name} server={server} state={state} />
        ))}
      </ul>
      <More list={list} />
      <More list={states} />
      {isAdding && (
        <ServerDialog
          title={texts.add}
          action={texts.add}
          run={createServer}
          onClose={() => setAdding(false)}
        />
      )}
    </PartSection>
  );
}

/**
 * The servers that are registered here, and those of a file, which cannot be changed here. Which
 * are of a file is known once all that are registered are read, whichever answer comes first.
 */
function useServers() {
  const list = useList(serversQuery);
  const states = useList(statesQuery);
  const servers = list.data?.items ?? [];
  const known = new Set(servers.map(({ name }) => name));
  const others =
    list.data && !list.hasNextPage
      ? (states.data?.items.filter(({ name }) => !known.has(name)) ?? [])
      : [];
  const isKnown = list.data !== undefined && !states.isPending;
  const registered = servers.map((server) => ({
    name: server.name,
    server,
    state: states.data?.items.find(({ name }) => name === server.name),
  }));
  return {
    list,
    states,
    rows: [
      ...registered,
      ...others.map((state) => ({ name: state.name, server: undefined, state })),
    ],
    isKnown,
    isEmpty: isKnown && list.data.total === 0 && others.length === 0,
  };
}

const LOOKS = {
  ready: "ok",
  idle: "idle",
  connecting: "idle",
  "signed-out": "degraded",
  down: "down",
  disabled: "idle",
} as const;

interface ServerRowProps {
  /** Undefined for a server of the file that the environment names. */
  server: ToolServer | undefined;
  /** Undefined until the gateway knows it. */
  state: ServerState | undefined;
}

/** A tool server: its address, its state, and its last error. */
function ServerRow({ server, state }: ServerRowProps) {
  const texts = useToolTexts();
  const problem = useErrorText(state?.error && toReportedFailure(state.error));
  const name = server?.name ?? state?.name ?? "";
  return (
    <li className="grid gap-1 py-3">
      <div className="flex items-center gap-3">
        <Glyph value={null} id={name} name={name} />
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-1">
          <div className="min-w-0 flex-1 basis-52">
            <p className="truncate font-medium" title={name}>
              <bdi>{name}</bdi>
            </p>
            <p className="truncate text-xs text-muted" title={server?.url}>
              {server ? <bdi>{server.url}</bdi> : texts.fromFile}
            </p>
          </div>
          {state && (
            <span className="flex flex-wrap items-center gap-2">
              <span className="text-xs text-muted">{texts.toolCount(state.tools)}</span>
              {state.withheld ? (
                <Link to="/admin/tools/changed">
                  <Badge look="warn">{texts.withheld(state.withheld)}</Badge>
                </Link>
              ) : null}
              <span title={texts.stateHints[state.state]} className="min-w-28 text-sm">
                <Status kind={LOOKS[state.state]} label={texts.states[state.state]} />
              </span>
            </span>
          )}
        </div>
        <ServerActions name={name} server={server} state={state} />
      </div>
      {problem && <p className="pl-11 text-xs wrap-anywhere text-danger">{problem}</p>}
    </li>
  );
}

interface ServerActionsProps {
  name: string;
  server: ToolServer | undefined;
  state: ServerState | undefined;
}

/** The actions on a tool server. */
function ServerActions({ name, server, state }: ServerActionsProps) {
  const texts = useToolTexts();
  const navigate = useNavigate();
  const toggle = useToggle();
  const [open, setOpen] = useState<"change" | "delete" | "values">();
  const close = () => setOpen(undefined);
  const items: MenuItem[] = [
    {
      key: "tools",
      label: texts.showTools,
      icon: Wrench,
      onChoose: () => void navigate({ to: "/admin/tools/list", search: { server: name } }),
    },
  ];
  if (state?.signIn)
    items.push({
      key: "connect",
      label: texts.connect,
      icon: Plug,
      onChoose: () => void connectForAll(name).catch(notifyFailure),
    });
  if (state?.values)
    items.push({
      key: "values",
      label: texts.fillIn,
      icon: KeyRound,
      onChoose: () => setOpen("values"),
    });
  if (server) {
    items.push(
      {
        key: "change",
        label: texts.change,
        icon: Pencil,
        onChoose: () => setOpen("change"),
      },
      {
        key: "enabled",
        label: server.enabled ? texts.disable : texts.enable,
        icon: server.enabled ? EyeOff : Eye,
        onChoose: () => toggle(server),
      },
      {
        key: "delete",
        label: texts.delete,
        icon: Trash2,
        isDanger: true,
        onChoose: () => setOpen("delete"),
      },
    );
  }
  return (
    <>
      <ActionsMenu label={texts.actions(name)} items={items} />
      {server && open === "change" && (
        <Change server={server} state={state} onClose={close} />
      )}
      {open === "values" && (
        <ValuesDialog
          server={name}
          values={state?.values?.map((one) => ({ name: one, isSet: false })) ?? []}
          forAll
          onClose={close}
        />
      )}
      {open === "delete" && <Deletion name={name} onClose={close} />}
    </>
  );
}

/** Switches a server off, or on again. */
function useToggle(): (server: ToolServer) => void {
  const change = useChange({
    async run(server: ToolServer) {
      const newest = (await findServer(server.name)) ?? server;
      const changed = { ...toUnchanged(newest), enabled: !server.enabled };
      await changeServer(server.name, changed);
    },
    keys: [["tool-servers"]],
  });
  return (server) => change.mutate(server, { onError: notifyFailure });
}

interface ChangeProps {
  server: ToolServer;
  state: ServerState | undefined;
  onClose: () => void;
}

function Change({ server, state, onClose }: ChangeProps) {
  const texts = useToolTexts();
  const { name } = server;
  const ownChanges = useOwnChanges({
    stored: toUnchanged(server),
    readNewest: async () => toUnchanged((await findServer(name)) ?? server),
    names: {
      url: texts.address,
      hide: texts.hide,
      rename: texts.rename,
      trusted: texts.trusted,
      oauth: texts.oauth,
      enabled: texts.enable,
    },
  });
  return (
    <ServerDialog
      title={texts.changeTitle(name)}
      action={texts.save}
      server={server}
      state={state}
      run={async (body) => changeServer(name, (await ownChanges(body)).merged)}
      onClose={onClose}
    />
  );
}

function Deletion({ name, onClose }: { name: string; onClose: () => void }) {
  const texts = useToolTexts();
  return (
    <ConfirmChange
      title={texts.deleteTitle(name)}
      text={texts.deleteText}
      action={texts.delete}
      run={() => deleteServer(name)}
      keys={[["tool-servers"]]}
      done={texts.deleted(name)}
      onClose={onClose}
    />
  );
}
