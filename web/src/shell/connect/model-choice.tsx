import { CircleCheck } from "lucide-react";
import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/text-field.tsx";
import type { OfferedModel } from "./queries.ts";
import { useConnectTexts } from "./texts.ts";

interface ModelChoiceProps {
  models: readonly OfferedModel[];
  isBusy: boolean;
  onUse: (models: OfferedModel[]) => void;
}

/** Providers offer hundreds: the search comes only then. */
const MANY = 8;

const isUsable = ({ kind }: OfferedModel) => kind !== "rerank" && kind !== "other";

/** The models that a provider offers. The first that answers is chosen already. */
export function ModelChoice({ models: offered, isBusy, onUse }: ModelChoiceProps) {
  const texts = useConnectTexts();
  const models = offered.filter(isUsable);
  const [query, setQuery] = useState("");
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(firstThatAnswers(models)),
  );
  const words = query.toLowerCase();
  const shown = models.filter(({ displayName }) =>
    displayName.toLowerCase().includes(words),
  );
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  return (
    <div className="grid gap-4">
      <p role="status" className="flex items-center gap-2 text-ok">
        <CircleCheck aria-hidden size={16} className="shrink-0" />
        {texts.works(models.length)}
      </p>
      <fieldset className="grid gap-2">
        <legend className="pb-2 font-medium">{texts.chooseModels}</legend>
        {models.length > MANY && (
          <TextField
            label={texts.filterModels}
            type="search"
            value={query}
            onChange={(event) => setQuery(event.target.value)}
          />
        )}
        <ul className="max-h-56 overflow-y-auto">
          {shown.map(({ providerModelId, displayName, kind }) => (
            <li key={providerModelId}>
              <label className="flex min-h-8 items-center gap-2 pointer-coarse:min-h-11">
                <input
                  type="checkbox"
                  checked={chosen.has(providerModelId)}
                  onChange={() => toggle(providerModelId)}
                  className="size-4 accent-accent"
                />
                <bdi className="min-w-0 wrap-anywhere">{displayName}</bdi>
                {kind !== "completion" && kind !== "rerank" && kind !== "other" && (
                  <span className="text-xs text-muted">{texts.kinds[kind]}</span>
                )}
              </label>
            </li>
          ))}
        </ul>
      </fieldset>
      <Button
        look="primary"
        className="justify-self-start"
        disabled={chosen.size === 0}
        busy={isBusy}
        onClick={() => onUse(models.filter((model) => chosen.has(model.providerModelId)))}
      >
        {texts.useModels(chosen.size)}
      </Button>
    </div>
  );
}

function firstThatAnswers(models: readonly OfferedModel[]): string[] {
  const first = models.find(({ kind }) => kind === "completion") ?? models[0];
  return first ? [first.providerModelId] : [];
}
