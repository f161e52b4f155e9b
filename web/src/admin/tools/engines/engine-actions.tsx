import { ArrowDown, ArrowUp, Eye, EyeOff, Pencil, PlugZap, Trash2 } from "lucide-react";
import { useState } from "react";
import { useChange } from "../../../shell/use-change.ts";
import { ActionsMenu } from "../../../ui/actions-menu.tsx";
import { ConfirmChange } from "../../../shell/confirm-change.tsx";
import type { MenuItem } from "../../../ui/menu.tsx";
import { notifyFailure } from "../../../ui/notices.tsx";
import { EngineDialog } from "./engine-dialog.tsx";
import { EngineTestDialog } from "./engine-test.tsx";
import {
  changeEngine,
  deleteEngine,
  type Engine,
  ENGINES,
  orderEngines,
} from "./queries.ts";
import { useEngineTexts } from "./texts.ts";

interface EngineActionsProps {
  engine: Engine;
  /** All that are not of the environment, in their order. */
  own: readonly Engine[];
}

/** The actions on a search engine. One of the environment can be tested alone. */
export function EngineActions({ engine, own }: EngineActionsProps) {
  const texts = useEngineTexts();
  const { id, name, enabled, fromEnvironment } = engine;
  const [open, setOpen] = useState<"test" | "change" | "delete">();
  const close = () => setOpen(undefined);
  const change = useChange({
    run: (run: () => Promise<unknown>) => run(),
    keys: [ENGINES],
  });
  const run = (work: () => Promise<unknown>) =>
    change.mutate(work, { onError: notifyFailure });
  const at = own.findIndex((one) => one.id === id);
  const swap = (other: number) => {
    const ids = own.map((one) => one.id);
    [ids[at], ids[other]] = [ids[other] ?? id, id];
    run(() => orderEngines(ids));
  };
  const test: MenuItem = {
    key: "test",
    label: texts.test,
    icon: PlugZap,
    onChoose: () => setOpen("test"),
  };
  const changes: (MenuItem | false)[] = [
    {
      key: "change",
      label: texts.change,
      icon: Pencil,
      onChoose: () => setOpen("change"),
    },
    at > 0 && {
      key: "up",
      label: texts.up,
      icon: ArrowUp,
      onChoose: () => swap(at - 1),
    },
    at < own.length - 1 && {
      key: "down",
      label: texts.down,
      icon: ArrowDown,
      onChoose: () => swap(at + 1),
    },
    {
      key: "enabled",
      label: enabled ? texts.disable : texts.enable,
      icon: enabled ? EyeOff : Eye,
      onChoose: () => run(() => changeEngine(id, { enabled: !enabled })),
    },
    {
      key: "delete",
      label: texts.delete,
      icon: Trash2,
      isDanger: true,
      onChoose: () => setOpen("delete"),
    },
  ];
  return (
    <>
      <ActionsMenu
        label={texts.actions(name)}
        items={[test, ...(fromEnvironment ? [] : changes.filter((item) => item !== false))]}
      />
      {open === "test" && <EngineTestDialog engine={engine} onClose={close} />}
      {open === "change" && <EngineDialog engine={engine} onClose={close} />}
      {open === "delete" && <Deletion engine={engine} onClose={close} />}
    </>
  );
}

function Deletion({ engine, onClose }: { engine: Engine; onClose: () => void }) {
  const texts = useEngineTexts();
  return (
    <ConfirmChange
      title={texts.deleteTitle(engine.name)}
      text={texts.deleteText}
      action={texts.delete}
      run={() => deleteEngine(engine.id)}
      keys={[ENGINES]}
      done={texts.deleted(engine.name)}
      onClose={onClose}
    />
  );
}
