import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { toReportedFailure } from "../../api/failure.ts";
import { defaultsOf, type FormValues, givenValues } from "../../forms/schema-fields.ts";
import { SchemaForm } from "../../forms/schema-form.tsx";
import { AddressProblem } from "../../shell/connect/address-problem.tsx";
import { useChange } from "../../shell/use-change.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { notify } from "../../ui/notices.tsx";
import { SelectField } from "../../ui/select-field.tsx";
import { Loading } from "../../ui/loading.tsx";
import { TextField } from "../../ui/text-field.tsx";
import {
  addEngine,
  changeEngine,
  type Engine,
  engineKindsQuery,
  ENGINES,
  type NewEngine,
  testNewEngine,
} from "./queries.ts";
import { useEngineTexts } from "./texts.ts";

interface EngineDialogProps {
  /** Absent for a new one. */
  engine?: Engine;
  onClose: () => void;
}

/** Name and configuration of a search engine, by which is searched before it is saved. */
export function EngineDialog({ engine, onClose }: EngineDialogProps) {
  const texts = useEngineTexts();
  const kinds = useQuery(engineKindsQuery);
  const [chosen, setChosen] = useState(engine?.kind);
  const current = kinds.data?.find(({ kind }) => kind === chosen) ?? kinds.data?.[0];
  const [name, setName] = useState(engine?.name ?? "");
  // masked keys are sent unchanged, and the server keeps the stored ones
  const [filled, fill] = useState<FormValues>(engine?.config ?? {});
  const values = { ...(current && defaultsOf(current.configSchema)), ...filled };
  const save = useChange({
    async run() {
      const config = givenValues(values);
      const kind = current?.kind as NewEngine["kind"]; // one of those that the server lists
      const { error } = await testNewEngine({
        kind,
        config,
        query: texts.defaultQuery,
        ...(engine && { id: engine.id }),
      });
      if (error) throw toReportedFailure(error);
      const title = name.trim() || current?.title;
      if (!engine) return addEngine({ kind, name: title, config });
      // what stays is left out: others may change it meanwhile
      return changeEngine(engine.id, {
        ...(title !== engine.name && { name: title }),
        ...(!isSame(config, engine.config) && { config }),
      });
    },
    keys: [ENGINES],
    onDone() {
      onClose();
      notify(texts.saved);
    },
  });
  return (
    <FormDialog
      title={engine ? texts.changeTitle(engine.name) : texts.add}
      action={texts.testAndSave}
      busy={save.isPending}
      error={kinds.error}
      problem={
        save.error && <AddressProblem error={save.error} onAllowed={() => save.mutate()} />
      }
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      {!engine && (
        <SelectField
          label={texts.kind}
          value={current?.kind}
          onChange={({ target }) => {
            setChosen(target.value);
            fill({});
            save.reset();
          }}
        >
          {kinds.data?.map(({ kind, title }) => (
            <option key={kind} value={kind}>
              {title}
            </option>
          ))}
        </SelectField>
      )}
      <TextField
        label={texts.name}
        value={name}
        placeholder={current?.title}
        maxLength={200}
        onChange={({ target }) => setName(target.value)}
      />
      {current ? (
        <SchemaForm schema={current.configSchema} values={values} onChange={fill} />
      ) : (
        <Loading shape="fields" lines={2} />
      )}
      <p className="text-xs text-muted">{texts.secretsHint}</p>
    </FormDialog>
  );
}

function isSame(one: FormValues, other: FormValues): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => one[name] === other[name]);
}
