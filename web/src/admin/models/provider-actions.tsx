import { Eye, EyeOff, ListPlus, Pencil, PlugZap, Trash2, CircleCheck } from "lucide-react";
import { useState } from "react";
import { useChange } from "../../shell/use-change.ts";
import { ActionsMenu } from "../../ui/actions-menu.tsx";
import { ConfirmChange } from "../../shell/confirm-change.tsx";
import type { MenuItem } from "../../ui/menu.tsx";
import { notifyFailure, notify } from "../../ui/notices.tsx";
import { ProviderDialog } from "./provider-dialog.tsx";
import { changeProvider, deleteProvider, type Provider, offersQuery } from "./queries.ts";
import {
  MODEL_KINDS,
  type ModelKind,
} from "../../../../src/services/completion/contract-model-kinds.ts";
import { useModelTexts } from "./texts.ts";
import { useQuery } from "@tanstack/react-query";
import { toReportedFailure } from "../../api/failure.ts";
import { formatNumber } from "../../texts/format.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Problem } from "../../ui/states.tsx";
import { ModelChoice } from "../../shell/connect/model-choice.tsx";
import { addModels, type OfferedModel } from "../../shell/connect/queries.ts";
import { Button } from "../../ui/button.tsx";
import { SelectField } from "../../ui/select-field.tsx";
import { TextField } from "../../ui/text-field.tsx";

type Open = "models" | "test" | "edit" | "delete";

/** The actions on a provider. The built-in one has neither key nor list of models. */
export function ProviderActions({ provider }: { provider: Provider }) {
  const texts = useModelTexts();
  const { name, displayName, kind, enabled, fromEnvironment } = provider;
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const toggle = useChange({
    run: () => changeProvider(name, { enabled: !enabled }),
    keys: [["providers"], ["models"]],
  });
  const onToggle = () =>
    toggle.mutate(undefined, {
      onError: notifyFailure,
    });
  const configurable: MenuItem[] = [
    {
      key: "models",
      label: texts.addModels,
      icon: ListPlus,
      onChoose: () => setOpen("models"),
    },
    { key: "test", label: texts.test, icon: PlugZap, onChoose: () => setOpen("test") },
    { key: "edit", label: texts.change, icon: Pencil, onChoose: () => setOpen("edit") },
  ];
  const remove: MenuItem = {
    key: "delete",
    label: texts.delete,
    icon: Trash2,
    isDanger: true,
    onChoose: () => setOpen("delete"),
  };
  return (
    <>
      <ActionsMenu
        label={texts.actions(displayName)}
        items={[
          ...(kind === "offline" ? [] : configurable),
          {
            key: "enabled",
            label: enabled ? texts.disable : texts.enable,
            icon: enabled ? EyeOff : Eye,
            onChoose: onToggle,
          },
          ...(fromEnvironment ? [] : [remove]),
        ]}
      />
      {open === "models" && <AddModels provider={provider} onClose={close} />}
      {open === "test" && <TestDialog provider={provider} onClose={close} />}
      {open === "edit" && <ProviderDialog provider={provider} onClose={close} />}
      {open === "delete" && <Deletion provider={provider} onClose={close} />}
    </>
  );
}

function Deletion({ provider, onClose }: { provider: Provider; onClose: () => void }) {
  const texts = useModelTexts();
  return (
    <ConfirmChange
      title={texts.deleteTitle(provider.displayName)}
      text={texts.deleteProviderText}
      action={texts.delete}
      run={() => deleteProvider(provider.name)}
      keys={[["providers"], ["models"]]}
      done={texts.deleted(provider.displayName)}
      onClose={onClose}
    />
  );
}

interface TestDialogProps {
  provider: Provider;
  onClose: () => void;
}

/** Tests a saved provider, and shows the result. */
function TestDialog({ provider, onClose }: TestDialogProps) {
  const texts = useModelTexts();
  const { data, error, refetch, isFetching } = useQuery(offersQuery(provider.name));
  const refusal = data?.error && toReportedFailure(data.error);
  const problem = error ?? refusal;
  return (
    <Dialog title={texts.testTitle(provider.displayName)} size="small" onClose={onClose}>
      {isFetching && <Loading lines={2} />}
      {!isFetching && problem && <Problem error={problem} onRetry={() => void refetch()} />}
      {!isFetching && data?.ok && (
        <p role="status" className="flex items-center gap-2 text-ok">
          <CircleCheck aria-hidden size={18} />
          {texts.works(formatNumber(data.models.length), formatNumber(data.latencyMs))}
        </p>
      )}
    </Dialog>
  );
}

interface AddModelsProps {
  provider: Provider;
  onClose: () => void;
}

/** Models of a provider, to add to those that users choose from. */
function AddModels({ provider, onClose }: AddModelsProps) {
  const texts = useModelTexts();
  const offers = useQuery(offersQuery(provider.name));
  const add = useChange({
    run: (models: readonly OfferedModel[]) => addModels(provider.name, models),
    keys: [["models"]],
    onDone() {
      onClose();
      notify(texts.added);
    },
  });
  const { data } = offers;
  const refusal = data?.error && toReportedFailure(data.error);
  const problem = offers.error ?? refusal ?? add.error;
  const absent = data?.models.filter(({ added }) => !added) ?? [];
  return (
    <Dialog title={texts.addModelsTo(provider.displayName)} onClose={onClose}>
      <div className="grid gap-5">
        {offers.isPending && <Loading shape="list" lines={4} />}
        {problem && <Problem error={problem} />}
        {data?.ok && absent.length === 0 && <p className="text-muted">{texts.allAdded}</p>}
        {absent.length > 0 && (
          <ModelChoice models={absent} isBusy={add.isPending} onUse={add.mutate} />
        )}
        <ByName busy={add.isPending} onAdd={(model) => add.mutate([model])} />
      </div>
    </Dialog>
  );
}

interface ByNameProps {
  busy: boolean;
  onAdd: (model: OfferedModel) => void;
}

/** For providers that do not list their models, or not all. */
function ByName({ busy, onAdd }: ByNameProps) {
  const texts = useModelTexts();
  const [name, setName] = useState("");
  const [kind, setKind] = useState<ModelKind>("completion");
  return (
    <form
      className="grid gap-2 border-t border-hairline pt-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) onAdd({ providerModelId: name.trim(), displayName: name.trim(), kind });
      }}
    >
      <TextField
        label={texts.byName}
        hint={texts.byNameHint}
        value={name}
        maxLength={200}
        required
        autoComplete="off"
        onChange={({ target }) => setName(target.value)}
      />
      <SelectField
        label={texts.kind}
        value={kind}
        onChange={({ target }) => setKind(target.value as ModelKind)}
      >
        {MODEL_KINDS.map((one) => (
          <option key={one} value={one}>
            {texts.kinds[one]}
          </option>
        ))}
      </SelectField>
      <Button type="submit" busy={busy} className="justify-self-start">
        {texts.add}
      </Button>
    </form>
  );
}
