import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import {
  type LoadSharing,
  MAX_FALLBACKS,
} from "../../../../src/services/completion/contract-catalogue.ts";
import { useModelNames } from "../../shell/use-models.ts";
import { formatNumber } from "../../texts/format.ts";
import { SelectField } from "../../ui/select-field.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { type AvailableModel, type Model, usableQuery } from "./queries.ts";
import { useModelTexts } from "./texts.ts";

/**
 * The models that answer in the place of this one, in their order, and those of them that share its
 * load; `readFallbacks` and `readLoadSharing` read them.
 */
export function FallbackFields({
  entry,
  kind,
}: {
  entry: AvailableModel;
  kind: Model["kind"];
}) {
  const texts = useModelTexts();
  const models = useAlike(entry, kind);
  const [chosen, setChosen] = useState<readonly string[]>(entry.fallbacks ?? []);
  // one more can be chosen behind them
  const places = [...chosen, ""].slice(0, MAX_FALLBACKS);
  const change = (at: number, id: string) =>
    setChosen(places.with(at, id).filter((one) => one !== ""));
  const nameOf = (id: string) => models.find((one) => one.id === id)?.displayName ?? id;
  return (
    <>
      <fieldset className="grid gap-2">
        <legend className="font-medium">{texts.fallbacks}</legend>
        <p className="text-xs text-muted">{texts.fallbacksHint}</p>
        {kind === "embedding" && <p className="text-xs text-muted">{texts.sameVectors}</p>}
        {places.map((id, at) => (
          <SelectField
            key={at}
            name={FIELD}
            label={texts.fallbackAt(formatNumber(at + 1))}
            value={id}
            onChange={({ target }) => change(at, target.value)}
          >
            <option value="">{texts.noFallback}</option>
            {models
              .filter((one) => one.id === id || !chosen.includes(one.id))
              .map((one) => (
                <option key={one.id} value={one.id}>
                  {one.displayName} – {one.providerDisplayName}
                </option>
              ))}
            {/* one that is disabled stays, until somebody takes it out */}
            {id !== "" && !models.some((one) => one.id === id) && (
              <option value={id}>{id}</option>
            )}
          </SelectField>
        ))}
      </fieldset>
      {chosen.length > 0 && (
        <SharingFields
          sharing={entry.loadSharing}
          fallbacks={chosen.map((id) => ({ id, name: nameOf(id) }))}
        />
      )}
    </>
  );
}

/** The models that can stand in for one: of its kind and, for embeddings, the same model. */
function useAlike(entry: AvailableModel, kind: Model["kind"]) {
  const nameOf = useModelNames();
  const { data } = useQuery(usableQuery);
  return (data ?? [])
    .filter((one) => one.id !== entry.id && one.kind === kind)
    .filter(
      ({ providerModelId }) =>
        kind !== "embedding" || providerModelId === entry.providerModelId,
    )
    .map((one) => ({
      ...one,
      displayName: nameOf(one.displayName),
      providerDisplayName: nameOf(one.providerDisplayName),
    }));
}

interface SharingFieldsProps {
  sharing: LoadSharing | undefined;
  fallbacks: readonly { id: string; name: string }[];
}

function SharingFields({ sharing, fallbacks }: SharingFieldsProps) {
  const texts = useModelTexts();
  const [by, setBy] = useState<(typeof WAYS)[number]>(sharing?.by ?? "none");
  const weightOf = (id: string) => sharing?.with.find((one) => one.id === id)?.weight;
  return (
    <fieldset className="grid gap-2">
      <legend className="font-medium">{texts.sharing}</legend>
      <p className="text-xs text-muted">{texts.sharingHint}</p>
      <SelectField
        name={BY}
        label={texts.sharingWay}
        value={by}
        onChange={({ target }) => setBy(WAYS.find((way) => way === target.value) ?? "none")}
      >
        {WAYS.map((way) => (
          <option key={way} value={way}>
            {texts.sharingBy[way]}
          </option>
        ))}
      </SelectField>
      {by !== "none" && (
        <div className="grid items-end gap-3 sm:grid-cols-2">
          <WeightField
            label={texts.ownWeight}
            name={OWN_WEIGHT}
            value={sharing?.weight ?? 1}
            required
          />
          {fallbacks.map(({ id, name }) => (
            <WeightField
              key={id}
              label={texts.weightOf(name)}
              name={`${WEIGHT}${id}`}
              // whoever shares with one alone means that one
              value={weightOf(id) ?? (fallbacks.length === 1 ? 1 : undefined)}
            />
          ))}
        </div>
      )}
    </fieldset>
  );
}

interface WeightFieldProps {
  label: string;
  name: string;
  value: number | undefined;
  required?: boolean;
}

function WeightField({ value, ...field }: WeightFieldProps) {
  return (
    <TextField
      {...field}
      type="number"
      min={1}
      max={100}
      step={1}
      inputMode="numeric"
      defaultValue={value}
    />
  );
}

const WAYS = ["none", "weight", "least_busy"] as const;
const BY = "sharing";
const OWN_WEIGHT = "own-weight";
const WEIGHT = "weight:";
const FIELD = "fallback";

export function readFallbacks(fields: FormData): string[] {
  return fields
    .getAll(FIELD)
    .map(String)
    .filter((id) => id !== "");
}

/** Null where nobody shares the load. */
export function readLoadSharing(fields: FormData): LoadSharing | null {
  const by = WAYS.find((way) => way === fields.get(BY)) ?? "none";
  const shares = readFallbacks(fields)
    .map((id) => ({ id, weight: Number(fields.get(`${WEIGHT}${id}`)) }))
    .filter(({ weight }) => weight > 0);
  if (by === "none" || shares.length === 0) return null;
  return { by, weight: Number(fields.get(OWN_WEIGHT)) || 1, with: shares };
}
