import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { defaultsOf, type FormValues, givenValues } from "../../forms/schema-fields.ts";
import { SchemaForm } from "../../forms/schema-form.tsx";
import { Failure } from "../../api/failure.ts";
import { Button } from "../../ui/button.tsx";
import { notify } from "../../ui/notices.tsx";
import { SelectField } from "../../ui/select-field.tsx";
import { Loading, Problem } from "../../ui/states.tsx";
import { ModelChoice } from "./model-choice.tsx";
import {
  connectProvider,
  type OfferedModel,
  type Probe,
  providerKindsQuery,
  testProvider,
} from "./queries.ts";
import { useConnectTexts } from "./texts.ts";

/** Connects a provider: tests the form before anything is saved, then offers the models. */
export function ConnectForm({ onClose }: { onClose: () => void }) {
  const texts = useConnectTexts();
  const queries = useQueryClient();
  const kinds = useQuery(providerKindsQuery);
  const offered = kinds.data?.filter(({ kind }) => kind !== "offline") ?? [];
  const [chosen, setChosen] = useState<string>();
  const [values, setValues] = useState<FormValues>({});
  const test = useMutation({ mutationFn: testProvider });
  const current = offered.find(({ kind }) => kind === chosen) ?? offered[0];
  const probe = current && {
    kind: current.kind as Probe["kind"], // `offline` is left out above
    config: givenValues({ ...defaultsOf(current.configSchema), ...values }),
  };
  const connect = useMutation({
    mutationFn: async (models: OfferedModel[]) => probe && connectProvider(probe, models),
    async onSuccess() {
      await Promise.all(
        [["models"], ["providers"]].map((queryKey) =>
          queries.invalidateQueries({ queryKey }),
        ),
      );
      notify(texts.connected);
      onClose();
    },
  });
  if (kinds.error)
    return <Problem error={kinds.error} onRetry={() => void kinds.refetch()} />;
  if (!current) return <Loading lines={3} />;
  const refusal =
    test.data?.error && new Failure(test.data.error.code, test.data.error.error);
  const problem = test.error ?? refusal ?? connect.error;
  return (
    <form
      className="grid gap-4 rounded-lg border border-hairline bg-raised p-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (probe) test.mutate(probe);
      }}
    >
      <SelectField
        label={texts.provider}
        value={current.kind}
        onChange={(event) => {
          setChosen(event.target.value);
          setValues({});
          test.reset();
        }}
      >
        {offered.map(({ kind, displayName }) => (
          <option key={kind} value={kind}>
            {displayName}
          </option>
        ))}
      </SelectField>
      <SchemaForm
        schema={current.configSchema}
        values={{ ...defaultsOf(current.configSchema), ...values }}
        onChange={(next) => {
          setValues(next);
          test.reset();
        }}
      />
      {problem && <Problem error={problem} />}
      {test.data?.ok ? (
        <ModelChoice
          models={test.data.models}
          isBusy={connect.isPending}
          onUse={(models) => connect.mutate(models)}
        />
      ) : (
        <Button type="submit" look="primary" busy={test.isPending}>
          {test.isPending ? texts.testing : texts.test}
        </Button>
      )}
    </form>
  );
}
