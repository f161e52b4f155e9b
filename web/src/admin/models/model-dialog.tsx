import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { LoadSharing } from "../../../../src/services/completion/contract-catalogue.ts";
import type { DefaultParameters } from "../../../../src/services/completion/contract-model-parameters.ts";
import { ParameterFields } from "../../shell/parameter-fields.tsx";
import { useChange } from "../../shell/use-change.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormDialog, textOf } from "../../ui/form-dialog.tsx";
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
  type AvailableModelChange,
  type ModelChange,
} from "./queries.ts";
import { FallbackFields, readFallbacks, readLoadSharing } from "./fallback-fields.tsx";
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
          <FallbackFields entry={entry} />
        </>
      )}
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
            hint={
              one === "vision" && model.capabilities.visionAssumed
                ? texts.visionUnknownHint
                : undefined
            }
          />
        ))}
      </fieldset>
      <FileFields capabilities={model.capabilities} />
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

/** What it takes of files as they are: by its name, or as a person says. */
function FileFields({ capabilities }: Pick<Model, "capabilities">) {
  const texts = useModelTexts();
  return (
    <fieldset className="grid gap-1">
      <legend className="font-medium">{texts.files}</legend>
      <p className="text-xs text-muted">{texts.filesHint}</p>
      <div className="grid gap-3 sm:grid-cols-2">
        {FILES.map((one) => (
          <SelectField
            key={one}
            label={texts.fileKinds[one]}
            name={one}
            defaultValue={ANSWERS.find(([, value]) => value === capabilities[one])?.[0]}
          >
            {ANSWERS.map(([answer]) => (
              <option key={answer} value={answer}>
                {texts.fileAnswers[answer]}
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

const CAPABILITIES = ["tools", "vision", "reasoning"] as const;
const FILES = ["documents", "audio"] as const;
const ANSWERS = [
  ["byName", undefined],
  ["yes", true],
  ["no", false],
] as const;

/** What a person sets of a model and of its offer. */
type ModelValues = Pick<
  AvailableModelChange,
  "displayName" | "pricing" | "fallbacks" | "loadSharing" | "parameters"
> &
  ModelChange;

/** What is stored, as the form gives it back when nothing is changed. */
function storedValues(entry: AvailableModel, model: Model): ModelValues {
  const { displayName, pricing = null } = entry;
  if (model.kind === "embedding") {
    const { queryPrefix, passagePrefix } = model;
    const isByName = queryPrefix === undefined && passagePrefix === undefined;
    const prefix = (stated: string | undefined) => (isByName ? null : (stated ?? ""));
    return {
      displayName,
      pricing,
      queryPrefix: prefix(queryPrefix),
      passagePrefix: prefix(passagePrefix),
    };
  }
  if (model.kind !== "completion") return { displayName, pricing };
  const { contextWindow = null, maxOutputTokens = null, capabilities } = model;
  return {
    displayName,
    pricing,
    fallbacks: entry.fallbacks ?? [],
    loadSharing: storedSharing(entry),
    parameters: entry.parameters ?? {},
    contextWindow,
    maxOutputTokens,
    // what is only assumed is set by saving
    capabilities: Object.fromEntries([
      ...CAPABILITIES.filter((one) => one !== "vision" || !capabilities.visionAssumed).map(
        (one) => [one, capabilities[one]],
      ),
      ...FILES.map((one) => [one, capabilities[one] ?? null]),
    ]),
  };
}

/** In the order of the fields, without what is no fallback any more. */
function storedSharing({
  loadSharing,
  fallbacks = [],
}: AvailableModel): LoadSharing | null {
  if (!loadSharing) return null;
  const shares = fallbacks.flatMap(
    (id) => loadSharing.with.find((one) => one.id === id) ?? [],
  );
  return shares.length > 0 ? { ...loadSharing, with: shares } : null;
}

function readValues(
  fields: FormData,
  model: Model,
  parameters: DefaultParameters,
): ModelValues {
  const count = (name: string) => Number(textOf(fields, name)) || null;
  const offer = { displayName: textOf(fields, "displayName"), pricing: readPrice(fields) };
  if (model.kind === "embedding") return { ...offer, ...readPrefixes(fields) };
  if (model.kind !== "completion") return offer;
  return {
    ...offer,
    fallbacks: readFallbacks(fields),
    loadSharing: readLoadSharing(fields),
    parameters,
    contextWindow: count("contextWindow"),
    maxOutputTokens: count("maxOutputTokens"),
    capabilities: Object.fromEntries([
      ...CAPABILITIES.map((one) => [one, fields.has(one)]),
      ...FILES.map((one) => [one, readAnswer(textOf(fields, one))]),
    ]),
  };
}

/** Null: what its name says. */
function readAnswer(given: string): boolean | null {
  return ANSWERS.find(([answer]) => answer === given)?.[1] ?? null;
}

/** A prefix may end with a space. */
function readPrefixes(fields: FormData): ModelChange {
  const read = (name: string) =>
    fields.has("prefixesByName") ? null : String(fields.get(name) ?? "");
  return { queryPrefix: read("queryPrefix"), passagePrefix: read("passagePrefix") };
}

const TOKEN_PRICES = [
  "inputPerMillion",
  "outputPerMillion",
  "cachedInputPerMillion",
] as const;
const UNIT_PRICES = ["perImage", "perMinute", "perMillionCharacters"] as const;

/** What models of this kind may be paid by. */
function pricesOf(kind: Model["kind"]) {
  if (kind === "image") return [...TOKEN_PRICES, "perImage"] as const;
  if (kind === "transcription") return [...TOKEN_PRICES, "perMinute"] as const;
  if (kind === "speech" || kind === "moderation")
    return [...TOKEN_PRICES, "perMillionCharacters"] as const;
  return TOKEN_PRICES;
}

type PriceFieldsProps = Pick<AvailableModel, "pricing"> & Pick<Model, "kind">;

/** The prices of a model; `readPrice` reads them. */
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

/** Null: without a price nothing counts towards budgets. */
function readPrice(fields: FormData): NonNullable<AvailableModelChange["pricing"]> | null {
  const [input, output, cached] = TOKEN_PRICES.map((name) => textOf(fields, name));
  const units = UNIT_PRICES.filter((name) => fields.get(name)).map((name) => [
    name,
    Number(textOf(fields, name)),
  ]);
  if (!input && !output && units.length === 0) return null;
  return {
    ...Object.fromEntries(units),
    inputPerMillion: Number(input),
    outputPerMillion: Number(output),
    ...(cached && { cachedInputPerMillion: Number(cached) }),
    currency: textOf(fields, "currency").toUpperCase(),
  };
}
