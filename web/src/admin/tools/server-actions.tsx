import { useNavigate } from "@tanstack/react-router";
import { Eye, EyeOff, Pencil, Trash2, Wrench } from "lucide-react";
import { useState } from "react";
import { useChange } from "../../shell/use-change.ts";
import { useOwnChanges } from "../../shell/use-own-changes.ts";
import { ActionsMenu } from "../../ui/actions-menu.tsx";
import { ConfirmChange } from "../../shell/confirm-change.tsx";
import type { MenuItem } from "../../ui/menu.tsx";
import { notifyFailure } from "../../ui/notices.tsx";
import { changeServer, deleteServer, findServer, type ToolServer } from "./queries.ts";
import { ServerDialog } from "./server-dialog.tsx";
import { toUnchanged } from "./server-fields.ts";
import { useToolTexts } from "./texts.ts";

interface ServerActionsProps {
  name: string;
  server: ToolServer | undefined;
}

/** The actions on a tool server. */
export function ServerActions({ name, server }: ServerActionsProps) {
  const texts = useToolTexts();
  const navigate = useNavigate();
  const toggle = useToggle();
  const [open, setOpen] = useState<"change" | "delete">();
  const close = () => setOpen(undefined);
  const items: MenuItem[] = [
    {
      key: "tools",
      label: texts.showTools,
      icon: Wrench,
      onChoose: () => void navigate({ to: "/admin/tools/list", search: { server: name } }),
    },
  ];
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
      {server && open === "change" && <Change server={server} onClose={close} />}
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

function Change({ server, onClose }: { server: ToolServer; onClose: () => void }) {
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
      enabled: texts.enable,
    },
  });
  return (
    <ServerDialog
      title={texts.changeTitle(name)}
      action={texts.save}
      server={server}
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
