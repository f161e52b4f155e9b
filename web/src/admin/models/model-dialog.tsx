import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { DefaultParameters } from "../../../../src/services/completion/contract-model-parameters.ts";
import { ParameterFields } from "../../shell/parameter-fields.tsx";
import { useChange } from "../../shell/use-change.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { notify } from "../../ui/notices.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Problem } from "../../ui/states.tsx";
import { SelectField } from "../../ui/select-field.tsx";
import { TextField } from "../../ui/text-field.tsx";
import {
  type AvailableModel,
  changeAvailable,
  changeModel,
  type Model,
  modelQuery,
  availableQuery,
} from "./queries.ts";
import { FallbackFields } from "./fallback-fields.tsx";
import {
  ANSWERS,
  CAPABILITIES,
  type ModelValues,
  pricesOf,
  READS,
  readValues,
  statedOf,
  storedValues,
} from "./model-values.ts";
import { useModelTexts } from "./texts.ts";
import { useNewest } from "../../shell/use-newest.ts";
import { useOwnChanges } from "../../shell/use-own-changes.ts";

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
      {error ? (
        <Problem error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading shape="fields" lines={4} />
      )}
    </Dialog>
  );
}

function Form({ entry, model, onClose }: ModelDialogProps & { model: Model }) {
  const texts = useModelTexts();
  const ownChanges = useModelChanges(entry, model);
  const [parameters, setParameters] = useState(entry.parameters ?? {});
  const save = useChange({
    async run(values: ModelValues) {
      const { changes } = await ownChanges(values);
      const { displayName, pricing, fallbacks, loadSharing, parameters, ...ofModel } =
        changes;
      if (Object.keys(ofModel).length > 0) await changeModel(model.id, ofModel);
      return changeAvailable(entry.id, {
        displayName,
        pricing,
        fallbacks,
        loadSharing,
        parameters,
      });
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
      onSubmit={(fields) => save.mutate(readValues(fields, model, parameters))}
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
      <PriceFields pricing={entry.pricing} kind={model.kind} />
      {model.kind === "completion" && (
        <>
          <CompletionFields model={model} />
          <DefaultFields parameters={parameters} onChange={setParameters} />
        </>
      )}
      <FallbackFields entry={entry} kind={model.kind} />
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
      <div className="grid items-start gap-3 sm:grid-cols-2">
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
      <ReadsFields capabilities={model.capabilities} />
    </>
  );
}

interface DefaultFieldsProps {
  parameters: DefaultParameters;
  onChange: (parameters: DefaultParameters) => void;
}

/** How it answers where neither a request nor an agent says it. */
function DefaultFields({ parameters, onChange }: DefaultFieldsProps) {
  const texts = useModelTexts();
  const { temperature, ...others } = parameters;
  const own = temperature === undefined ? {} : { temperature };
  return (
    <>
      <TextField
        label={texts.temperature}
        hint={texts.temperatureHint}
        type="number"
        min={0}
        max={2}
        step={0.1}
        value={temperature ?? ""}
        onChange={({ target }) =>
          onChange(
            target.value === "" ? others : { ...others, temperature: target.valueAsNumber },
          )
        }
      />
      <ParameterFields
        title={texts.parameters}
        hint={texts.parametersHint}
        parameters={others}
        onChange={(changed) => onChange({ ...changed, ...own })}
      />
    </>
  );
}

/** What it takes of files as they are: as a person says, or else as is assumed of it. */
function ReadsFields({ capabilities }: Pick<Model, "capabilities">) {
  const texts = useModelTexts();
  return (
    <fieldset className="grid gap-1">
      <legend className="font-medium">{texts.files}</legend>
      <p className="text-xs text-muted">{texts.filesHint}</p>
      <div className="grid gap-3 sm:grid-cols-3">
        {READS.map((one) => (
          <SelectField
            key={one}
            label={texts.reads[one]}
            name={one}
            defaultValue={
              ANSWERS.find(([, value]) => value === statedOf(capabilities, one))?.[0]
            }
          >
            {ANSWERS.map(([answer]) => (
              <option key={answer} value={answer}>
                {texts.readsAnswers[answer]}
              </option>
            ))}
          </SelectField>
        ))}
      </div>
    </fieldset>
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

/** What was changed in the form of a model. */
function useModelChanges(entry: AvailableModel, model: Model) {
  const texts = useModelTexts();
  const readEntry = useNewest(availableQuery(entry.id));
  const readModel = useNewest(modelQuery(model.id));
  return useOwnChanges<ModelValues>({
    stored: storedValues(entry, model),
    readNewest: async () =>
      storedValues(...(await Promise.all([readEntry(), readModel()]))),
    names: {
      displayName: texts.name,
      pricing: texts.prices,
      fallbacks: texts.fallbacks,
      loadSharing: texts.sharing,
      parameters: texts.parameters,
      contextWindow: texts.contextWindow,
      maxOutputTokens: texts.maxOutput,
      capabilities: texts.abilities,
      queryPrefix: texts.queryPrefix,
      passagePrefix: texts.passagePrefix,
    },
  });
}

type PriceFieldsProps = Pick<AvailableModel, "pricing"> & Pick<Model, "kind">;

/** The prices of a model, as `readValues` reads them. */
function PriceFields({ pricing, kind }: PriceFieldsProps) {
  const texts = useModelTexts();
  return (
    <fieldset className="grid gap-1">
      <legend className="font-medium">{texts.prices}</legend>
      <p className="text-xs text-muted">{texts.pricesHint}</p>
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        {pricesOf(kind).map((name) => (
          <TextField
            key={name}
            label={texts.priceNames[name]}
            name={name}
            type="number"
            min={0}
            max={1e9}
            step="any"
            inputMode="decimal"
            defaultValue={pricing?.[name]}
          />
        ))}
        <TextField
          label={texts.currency}
          name="currency"
          defaultValue={pricing?.currency ?? "USD"}
          minLength={3}
          maxLength={3}
          pattern="[A-Za-z]{3}"
          required
        />
      </div>
    </fieldset>
  );
}
