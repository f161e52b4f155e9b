import {
  ArrowDown,
  ArrowUp,
  Eye,
  EyeOff,
  Pencil,
  PlugZap,
  Trash2,
  CircleCheck,
} from "lucide-react";
import { useState } from "react";
import { useChange } from "../../shell/use-change.ts";
import { ActionsMenu } from "../../ui/actions-menu.tsx";
import { ConfirmChange } from "../../shell/confirm-change.tsx";
import type { MenuItem } from "../../ui/menu.tsx";
import { notifyFailure } from "../../ui/notices.tsx";
import { EngineDialog } from "./engine-dialog.tsx";
import {
  changeEngine,
  deleteEngine,
  type Engine,
  ENGINES,
  orderEngines,
  type EngineTest,
  testEngine,
} from "./queries.ts";
import { useEngineTexts } from "./texts.ts";
import { useMutation } from "@tanstack/react-query";
import { toReportedFailure } from "../../api/failure.ts";
import { formatNumber } from "../../texts/format.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";

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

interface EngineTestDialogProps {
  engine: Engine;
  onClose: () => void;
}

/** Searches by an engine, and shows what came. */
function EngineTestDialog({ engine, onClose }: EngineTestDialogProps) {
  const texts = useEngineTexts();
  const [query, setQuery] = useState(texts.defaultQuery);
  const test = useMutation({ mutationFn: () => testEngine(engine.id, query) });
  const refusal = test.data?.error && toReportedFailure(test.data.error);
  return (
    <FormDialog
      title={texts.testTitle(engine.name)}
      action={texts.test}
      busy={test.isPending}
      error={test.error ?? refusal}
      onSubmit={() => test.mutate()}
      onClose={onClose}
    >
      <TextField
        label={texts.query}
        value={query}
        maxLength={400}
        required
        onChange={({ target }) => setQuery(target.value)}
      />
      {test.data?.ok && <Found test={test.data} />}
    </FormDialog>
  );
}

function Found({ test: { results, latencyMs } }: { test: EngineTest }) {
  const texts = useEngineTexts();
  const ms = formatNumber(latencyMs);
  if (results.length === 0)
    return (
      <p role="status" className="text-warn">
        {texts.testNothing(ms)}
      </p>
    );
  return (
    <div className="grid gap-2">
      <p role="status" className="flex items-center gap-2 text-ok">
        <CircleCheck aria-hidden size={18} className="shrink-0" />
        {texts.testFound(formatNumber(results.length), ms)}
      </p>
      <ul aria-label={texts.testResults} className="grid gap-2">
        {results.map(({ title, url, snippet }) => (
          <li key={url} className="min-w-0">
            <p className="truncate font-medium">
              <bdi>{title}</bdi>
            </p>
            <p className="truncate text-xs text-muted">
              <bdi>{url}</bdi>
            </p>
            <p className="line-clamp-2 text-xs">
              <bdi>{snippet}</bdi>
            </p>
          </li>
        ))}
      </ul>
    </div>
  );
}
