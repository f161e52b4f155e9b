import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { Link } from "@tanstack/react-router";
import { ReleaseRefusal } from "../shell/locks/release-lock.tsx";
import { usePermission } from "../shell/queries.ts";
import { Button } from "../ui/button.tsx";
import { notify } from "../ui/notices.tsx";
import { AgentForm } from "./agent-form.tsx";
import { fieldsOf } from "./fields.ts";
import { agentQuery, changeAgent, type VisibleAgent, useAgentChange } from "./queries.ts";
import { isEditable } from "./row-menu.tsx";
import { SaveBar } from "../ui/save-bar.tsx";
import { useAgentTexts } from "./texts.ts";
import { type AgentDraft, useAgentDraft } from "./use-agent-draft.ts";

/** Edits a stored agent. Unsaved changes are kept on this device. */
export function StoredAgentEditor() {
  const { id } = useParams({ from: "/app/agents/$id" });
  const { data: agent } = useQuery(agentQuery(id));
  return agent ? <Editor key={id} agent={agent} /> : null;
}

function Editor({ agent }: { agent: VisibleAgent }) {
  const texts = useAgentTexts();
  const draft = useAgentDraft(agent.id, fieldsOf(agent), agent.version);
  const mayUpdate = usePermission("agent:update");
  const isReadOnly = !mayUpdate || !isEditable(agent);
  const save = useAgentChange(
    () => changeAgent(agent.id, { ...draft.changes, baseVersion: draft.baseVersion }),
    ({ version }) => {
      draft.discard();
      notify(texts.saved(version));
    },
  );
  return (
    <form
      className="grid grid-cols-[minmax(0,1fr)] gap-6"
      onSubmit={(event) => {
        event.preventDefault();
        if (!save.isPending) save.mutate();
      }}
    >
      {isReadOnly && (
        <p className="rounded-lg bg-sunken p-3">{texts.readOnly(agent.type)}</p>
      )}
      {draft.isBehind && (
        <SavedByOther agent={agent} draft={draft} onDecided={save.reset} />
      )}
      <fieldset disabled={isReadOnly} className="contents">
        <AgentForm
          fields={draft.fields}
          storedId={agent.id}
          change={draft.change}
          isReadOnly={isReadOnly}
        />
      </fieldset>
      {save.error && <ReleaseRefusal error={save.error} />}
      {!isReadOnly && (
        <SaveBar
          action={texts.save}
          busy={save.isPending}
          error={draft.isBehind ? null : save.error}
          hasChanges={draft.hasChanges}
          onDiscard={() => {
            draft.discard();
            save.reset();
          }}
        />
      )}
    </form>
  );
}

interface SavedByOtherProps {
  agent: VisibleAgent;
  draft: AgentDraft;
  onDecided: () => void;
}

/** Somebody else saved first: shows the differences, and asks which values to keep. */
function SavedByOther({ agent: { id, version }, draft, onDecided }: SavedByOtherProps) {
  const texts = useAgentTexts();
  const names = Object.keys(draft.changes) as (keyof typeof texts.fields)[];
  return (
    <div role="alert" className="grid gap-3 rounded-lg border border-warn p-4">
      <p>
        {texts.behind(version)}{" "}
        {texts.behindFields(names.map((name) => texts.fields[name]))}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button
          onClick={() => {
            draft.rebase();
            onDecided();
          }}
        >
          {texts.keepMine}
        </Button>
        <Button
          look="danger"
          onClick={() => {
            draft.discard();
            onDecided();
          }}
        >
          {texts.takeTheirs}
        </Button>
        <Link
          to="/agents/$id/versions"
          params={{ id }}
          search={{ from: draft.baseVersion, to: version }}
          className="inline-flex min-h-8 items-center px-2 text-accent underline"
        >
          {texts.whatChanged}
        </Link>
      </div>
    </div>
  );
}
