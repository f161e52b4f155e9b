import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { toReportedFailure } from "../../api/failure.ts";
import { ModelChoice } from "../../shell/connect/model-choice.tsx";
import { addModels, type OfferedModel } from "../../shell/connect/queries.ts";
import { useChange } from "../../shell/use-change.ts";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { notify } from "../../ui/notices.tsx";
import { Loading, Problem } from "../../ui/states.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { offersQuery, type Provider } from "./queries.ts";
import { useModelTexts } from "./texts.ts";

interface AddModelsProps {
  provider: Provider;
  onClose: () => void;
}

/** Models of a provider, to add to those that users choose from. */
export function AddModels({ provider, onClose }: AddModelsProps) {
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
        {offers.isPending && <Loading lines={4} />}
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
  const [isEmbedding, setEmbedding] = useState(false);
  return (
    <form
      className="grid gap-2 border-t border-hairline pt-4"
      onSubmit={(event) => {
        event.preventDefault();
        const kind = isEmbedding ? "embedding" : "completion";
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
      <Checkbox
        checked={isEmbedding}
        onChange={({ target }) => setEmbedding(target.checked)}
        label={texts.isEmbedding}
        hint={texts.embeddingHint}
      />
      <Button type="submit" busy={busy} className="justify-self-start">
        {texts.add}
      </Button>
    </form>
  );
}
