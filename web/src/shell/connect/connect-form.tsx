import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { defaultsOf, type FormValues, givenValues } from "../../forms/schema-fields.ts";
import { SchemaForm } from "../../forms/schema-form.tsx";
import { toReportedFailure } from "../../api/failure.ts";
import { Button } from "../../ui/button.tsx";
import { notify } from "../../ui/notices.tsx";
import { SelectField } from "../../ui/select-field.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Problem } from "../../ui/states.tsx";
import { AddressProblem } from "./address-problem.tsx";
import { ModelChoice } from "./model-choice.tsx";
import {
  allowAddress,
  connectProvider,
  type LocalServer,
  type OfferedModel,
  type Probe,
  providerKindsQuery,
  testProvider,
  localServersQuery,
} from "./queries.ts";
import { useConnectTexts } from "./texts.ts";
import { Cpu } from "lucide-react";

interface ConnectFormProps {
  /** Default true. */
  takesFocus?: boolean;
  /** Called with whether the provider answered, so that nothing around it says otherwise. */
  onTested?: (works: boolean) => void;
  onClose: () => void;
}

interface Tested {
  probe: Probe;
  /** Of a server that was found. */
  name?: string | undefined;
  /** To be allowed first. */
  address?: string;
}

interface Connected {
  probe: Probe;
  models: OfferedModel[];
  /** What users read where a model comes from; by default that of the kind. */
  name: string | undefined;
}

/** Connects a provider: tests the form before anything is saved, then offers the models. */
export function ConnectForm({ takesFocus = true, onTested, onClose }: ConnectFormProps) {
  const texts = useConnectTexts();
  const { kinds, offered, current, values, probe, choose, fill } = useProbe();
  const test = useMutation({
    async mutationFn({ probe: tested, address }: Tested) {
      if (address !== undefined) await allowAddress(address);
      return testProvider(tested);
    },
  });
  const connect = useConnection(onClose);
  const works = test.data?.ok ?? false;
  useEffect(() => onTested?.(works), [onTested, works]);
  if (kinds.error)
    return <Problem error={kinds.error} onRetry={() => void kinds.refetch()} />;
  if (!current || !probe) return <Loading shape="fields" lines={3} />;
  const refusal = test.data?.error && toReportedFailure(test.data.error);
  const problem = test.error ?? refusal ?? connect.error;
  const useLocal = ({ name, kind, baseUrl, address, allowed }: LocalServer) => {
    choose(kind);
    fill({ baseUrl });
    const found = { kind: kind as Probe["kind"], config: { baseUrl } }; // never `offline`
    test.mutate({ probe: found, name, ...(!allowed && { address }) });
  };
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        test.mutate({ probe });
      }}
    >
      {test.isIdle && <LocalServers onChoose={useLocal} />}
      <SelectField
        label={texts.provider}
        value={current.kind}
        autoFocus={takesFocus}
        onChange={(event) => {
          choose(event.target.value);
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
        values={values}
        onChange={(next) => {
          fill(next);
          test.reset();
        }}
      />
      {problem && (
        <AddressProblem
          error={problem}
          onAllowed={() => test.mutate({ probe, name: test.variables?.name })}
        />
      )}
      {test.data?.ok ? (
        <ModelChoice
          models={test.data.models}
          isBusy={connect.isPending}
          onUse={(models) => connect.mutate({ probe, models, name: test.variables?.name })}
        />
      ) : (
        <div className="flex flex-wrap gap-2">
          <Button type="submit" look="primary" busy={test.isPending}>
            {test.isPending ? texts.testing : texts.test}
          </Button>
          <Button look="quiet" onClick={onClose}>
            {texts.cancel}
          </Button>
        </div>
      )}
    </form>
  );
}

/** The chosen kind of provider and what is filled in for it. */
function useProbe() {
  const kinds = useQuery(providerKindsQuery);
  const offered = kinds.data?.filter(({ kind }) => kind !== "offline") ?? [];
  const [chosen, setChosen] = useState<string>();
  const [filled, fill] = useState<FormValues>({});
  const current = offered.find(({ kind }) => kind === chosen) ?? offered[0];
  const values = { ...(current && defaultsOf(current.configSchema)), ...filled };
  const probe = current && {
    kind: current.kind as Probe["kind"], // `offline` is left out above
    config: givenValues(values),
  };
  const choose = (kind: string) => {
    setChosen(kind);
    fill({});
  };
  return { kinds, offered, current, values, probe, choose, fill };
}

function useConnection(onDone: () => void) {
  const texts = useConnectTexts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ probe, models, name }: Connected) =>
      connectProvider(probe, models, name),
    async onSuccess() {
      await Promise.all(
        [["models"], ["providers"]].map((queryKey) =>
          queries.invalidateQueries({ queryKey }),
        ),
      );
      notify(texts.connected);
      onDone();
    },
  });
}

/** Servers of models that run on this machine, each ready to be connected. */
function LocalServers({ onChoose }: { onChoose: (server: LocalServer) => void }) {
  const texts = useConnectTexts();
  const servers = useQuery(localServersQuery).data?.items ?? [];
  if (servers.length === 0) return null;
  return (
    <section aria-label={texts.found} className="grid gap-2">
      <h3 className="font-sans text-md font-medium tracking-normal">{texts.found}</h3>
      <ul className="grid gap-2">
        {servers.map((server) => (
          <li key={server.address}>
            <button
              type="button"
              onClick={() => onChoose(server)}
              className="flex w-full items-center gap-3 rounded-lg border border-hairline bg-page p-3 text-left hover:border-accent pointer-coarse:min-h-11"
            >
              <Cpu aria-hidden size={20} className="shrink-0 text-accent" />
              <span className="grid min-w-0 flex-1">
                <span className="font-medium">{server.name}</span>
                <span className="truncate text-xs text-muted">
                  <bdi>{server.address}</bdi> · {texts.modelsOf(server.models)}
                </span>
              </span>
              <span className="shrink-0 text-sm text-accent">{texts.connectIt}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
