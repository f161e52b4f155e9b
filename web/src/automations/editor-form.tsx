import type { RuleAgents } from "../../../src/services/automations/contract-agents.ts";
import { type ReactNode, useState } from "react";
import type { FormDraft } from "../shell/use-form-draft.ts";
import { AgentsField } from "./agents-field.tsx";
import { SaveBar } from "./save-bar.tsx";
import { toSteps } from "./steps.ts";
import type { useAutomationChange } from "./use-automation-change.ts";

interface EditorFormProps {
  form: FormDraft<{ agents: RuleAgents }>;
  mayWrite: boolean;
  save: ReturnType<typeof useAutomationChange<void>>;
  /** What comes before the agents. */
  fields: ReactNode;
  /** What comes after them. */
  children?: ReactNode;
}

/** Says when agents run, and which. */
export function EditorForm({ form, mayWrite, save, fields, children }: EditorFormProps) {
  const [wasTried, setTried] = useState(false);
  const { agents } = form.values;
  return (
    <form
      className="grid min-w-0 grid-cols-1 gap-6"
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (!save.isPending && agents.length > 0) save.mutate();
      }}
    >
      <fieldset disabled={!mayWrite} className="grid min-w-0 grid-cols-1 gap-6">
        {fields}
        <AgentsField
          steps={toSteps(agents)}
          onChange={(agents) => form.change({ agents })}
          isMissing={wasTried}
        />
        {children}
      </fieldset>
      {mayWrite && (
        <SaveBar
          isChanged={form.isChanged}
          busy={save.isPending}
          error={save.error}
          onDiscard={form.forget}
        />
      )}
    </form>
  );
}
