import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useChange } from "../../shell/use-change.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { notify } from "../../ui/notices.tsx";
import { Loading, Problem } from "../../ui/states.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { CAPABILITIES, type ModelValues, readValues } from "./model-values.ts";
import { PriceFields } from "./price-fields.tsx";
import {
  type AvailableModel,
  changeAvailable,
  changeModel,
  type Model,
  modelQuery,
} from "./queries.ts";
import { useModelTexts } from "./texts.ts";
import { useModelChanges } from "./use-model-changes.ts";

interface ModelDialogProps {
  entry: AvailableModel;
  onClose: () => void;
}

/** Name, price and capabilities of an available model. */
export function ModelDialog({ entry, onClose }: ModelDialogProps) {
  const texts = useModelTexts();
  // the form starts from the stored values, not from those read before the last change
  const query = { ...modelQuery(entry.modelId), staleTime: 0 };
  const { data: model, error, refetch, isFetchedAfterMount } = useQuery(query);
  if (model && isFetchedAfterMount)
    return <Form entry={entry} model={model} onClose={onClose} />;
  return (
    <Dialog title={texts.edit} size="small" onClose={onClose}>
      {error ? <Problem error={error} onRetry={() => void refetch()} /> : <Loading />}
    </Dialog>
  );
}

function Form({ entry, model, onClose }: ModelDialogProps & { model: Model }) {
  const texts = useModelTexts();
  const ownChanges = useModelChanges(entry, model);
  const save = useChange({
    async run(values: ModelValues) {
      const { displayName, pricing, ...ofModel } = (await ownChanges(values)).changes;
      if (Object.keys(ofModel).length > 0) await changeModel(model.id, ofModel);
      return changeAvailable(entry.id, { displayName, pricing });
    },
    keys: [["models"]],
    onDone() {
      onClose();
      notify(texts.saved);
    },
  });
  return (
    <FormDialog
      title={texts.edit}
      size="medium"
      action={texts.save}
      busy={save.isPending}
      error={save.error}
      onSubmit={(fields) => save.mutate(readValues(fields, model))}
      onClose={onClose}
    >
      <TextField
        label={texts.name}
        hint={texts.nameHint}
        name="displayName"
        defaultValue={entry.displayName}
        maxLength={200}
        required
      />
      <PriceFields pricing={entry.pricing} />
      {model.kind === "completion" && <CompletionFields model={model} />}
      {model.kind === "embedding" && <PrefixFields model={model} />}
    </FormDialog>
  );
}

/** The prefixes of an embedding model: by its name, or as stated. */
function PrefixFields({ model: { queryPrefix, passagePrefix } }: { model: Model }) {
  const texts = useModelTexts();
  const isUsual = queryPrefix === undefined && passagePrefix === undefined;
  const [byName, setByName] = useState(isUsual);
  return (
    <>
      <Checkbox
        name="prefixesByName"
        checked={byName}
        onChange={({ target }) => setByName(target.checked)}
        label={texts.prefixesByName}
        hint={texts.prefixesHint}
      />
      {!byName && (
        <div className="grid gap-3 sm:grid-cols-2">
          <TextField
            label={texts.queryPrefix}
            name="queryPrefix"
            placeholder="query: "
            defaultValue={queryPrefix}
            maxLength={500}
          />
          <TextField
            label={texts.passagePrefix}
            name="passagePrefix"
            placeholder="passage: "
            defaultValue={passagePrefix}
            maxLength={500}
          />
        </div>
      )}
    </>
  );
}

function CompletionFields({ model }: { model: Model }) {
  const texts = useModelTexts();
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-2">
        <NumberField
          label={texts.contextWindow}
          hint={texts.contextWindowHint}
          name="contextWindow"
          value={model.contextWindow}
        />
        <NumberField
          label={texts.maxOutput}
          name="maxOutputTokens"
          value={model.maxOutputTokens}
        />
      </div>
      <fieldset>
        <legend className="font-medium">{texts.abilities}</legend>
        {CAPABILITIES.map((one) => (
          <Checkbox
            key={one}
            name={one}
            defaultChecked={model.capabilities[one]}
            label={texts.capabilities[one]}
          />
        ))}
      </fieldset>
    </>
  );
}

interface NumberFieldProps {
  label: string;
  hint?: string;
  name: string;
  value: number | undefined;
}

function NumberField({ value, ...field }: NumberFieldProps) {
  return (
    <TextField
      {...field}
      type="number"
      min={1}
      max={100_000_000}
      step={1}
      inputMode="numeric"
      defaultValue={value}
    />
  );
}
