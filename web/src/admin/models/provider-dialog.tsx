import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { toReportedFailure } from "../../api/failure.ts";
import { fieldsOf, type FormValues, givenValues } from "../../forms/schema-fields.ts";
import { SchemaForm } from "../../forms/schema-form.tsx";
import { nameField, useFieldTexts } from "../../forms/texts.ts";
import { AddressProblem } from "../../shell/connect/address-problem.tsx";
import {
  type Probe,
  providerKindsQuery,
  testProvider,
} from "../../shell/connect/queries.ts";
import { useChange } from "../../shell/use-change.ts";
import { useNewest } from "../../shell/use-newest.ts";
import { useOwnChanges } from "../../shell/use-own-changes.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { notify } from "../../ui/notices.tsx";
import { Loading } from "../../ui/loading.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { changeProvider, type Provider, providerQuery } from "./queries.ts";
import { useModelTexts } from "./texts.ts";

interface ProviderDialogProps {
  provider: Provider;
  onClose: () => void;
}

/** Address, key and name of a provider, which are tested before they are saved. */
export function ProviderDialog({ provider, onClose }: ProviderDialogProps) {
  const texts = useModelTexts();
  const kinds = useQuery(providerKindsQuery);
  const schema = kinds.data?.find(({ kind }) => kind === provider.kind)?.configSchema;
  const [displayName, setDisplayName] = useState(provider.displayName);
  // masked secrets are sent unchanged, and the server keeps the stored ones
  const [values, setValues] = useState(provider.config as FormValues); // as the schema has them
  const ownChanges = useProviderChanges(provider, schema);
  const save = useChange({
    async run() {
      const { name } = provider;
      const { merged } = await ownChanges({
        ...givenValues(values),
        displayName: displayName.trim(),
      });
      const { displayName: title, ...rest } = merged;
      const config = givenValues(rest);
      const kind = provider.kind as Probe["kind"]; // the built-in kind has no dialog
      const { error } = await testProvider({ kind, config, name });
      const isUntestable = error?.code === "provider_test_unsupported";
      if (error && !isUntestable) throw toReportedFailure(error);
      return changeProvider(name, { displayName: String(title), config });
    },
    keys: [["providers"], ["models"]],
    onDone() {
      onClose();
      notify(texts.saved);
    },
  });
  return (
    <FormDialog
      title={texts.changeTitle(provider.displayName)}
      action={texts.testAndSave}
      busy={save.isPending}
      error={kinds.error}
      problem={
        save.error && <AddressProblem error={save.error} onAllowed={() => save.mutate()} />
      }
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <TextField
        label={texts.name}
        value={displayName}
        maxLength={200}
        required
        onChange={({ target }) => setDisplayName(target.value)}
      />
      {schema ? (
        <SchemaForm schema={schema} values={values} onChange={setValues} />
      ) : (
        <Loading shape="fields" lines={3} />
      )}
      <p className="text-xs text-muted">{texts.secretsHint}</p>
    </FormDialog>
  );
}

/** Each field of the configuration by itself: others may change another one. */
function useProviderChanges(
  provider: Provider,
  schema: Record<string, unknown> | undefined,
) {
  const texts = useModelTexts();
  const own = useFieldTexts();
  const readNewest = useNewest(providerQuery(provider.name));
  const labels = fieldsOf(schema ?? {}).map((field) => [
    field.name,
    nameField(field, own).label,
  ]);
  return useOwnChanges<FormValues>({
    stored: toValues(provider),
    readNewest: async () => toValues(await readNewest()),
    names: { ...Object.fromEntries(labels), displayName: texts.name },
  });
}

function toValues({ config, displayName }: Provider): FormValues {
  return { ...(config as FormValues), displayName }; // as its schema has them
}
