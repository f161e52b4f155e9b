import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useChange } from "../../shell/use-change.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormDialog, textOf } from "../../ui/form-dialog.tsx";
import { notify } from "../../ui/notices.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Problem } from "../../ui/states.tsx";
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
      <PriceFields pricing={entry.pricing} kind={model.kind} />
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
            hint={
              one === "vision" && model.capabilities.visionAssumed
                ? texts.visionUnknownHint
                : undefined
            }
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
      contextWindow: texts.contextWindow,
      maxOutputTokens: texts.maxOutput,
      capabilities: texts.abilities,
      queryPrefix: texts.queryPrefix,
      passagePrefix: texts.passagePrefix,
    },
  });
}

const CAPABILITIES = ["tools", "vision", "reasoning"] as const;

/** What a person sets of a model and of its offer. */
type ModelValues = Pick<AvailableModelChange, "displayName" | "pricing"> & ModelChange;

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
    contextWindow,
    maxOutputTokens,
    // what is only assumed is set by saving
    capabilities: Object.fromEntries(
      CAPABILITIES.filter((one) => one !== "vision" || !capabilities.visionAssumed).map(
        (one) => [one, capabilities[one]],
      ),
    ),
  };
}

function readValues(fields: FormData, model: Model): ModelValues {
  const count = (name: string) => Number(textOf(fields, name)) || null;
  const offer = { displayName: textOf(fields, "displayName"), pricing: readPrice(fields) };
  if (model.kind === "embedding") return { ...offer, ...readPrefixes(fields) };
  if (model.kind !== "completion") return offer;
  return {
    ...offer,
    contextWindow: count("contextWindow"),
    maxOutputTokens: count("maxOutputTokens"),
    capabilities: Object.fromEntries(CAPABILITIES.map((one) => [one, fields.has(one)])),
  };
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
