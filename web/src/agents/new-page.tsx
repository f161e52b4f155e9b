import { useNavigate, useSearch } from "@tanstack/react-router";
import { Permitted } from "../shell/permitted.tsx";
import { notify } from "../ui/notices.tsx";
import { Page } from "../ui/page.tsx";
import { AgentForm } from "./agent-form.tsx";
import { NEW_FIELDS } from "./fields.ts";
import { createAgent, useAgentChange } from "./queries.ts";
import { SaveBar } from "../ui/save-bar.tsx";
import { useAgentTexts } from "./texts.ts";
import { useAgentDraft } from "./use-agent-draft.ts";

/** Creates an agent. */
export function NewAgentPage() {
  const texts = useAgentTexts();
  return (
    <Page title={texts.newAgent} back={{ to: "/agents", label: texts.title }}>
      <Permitted permission="agent:create">
        <NewAgent />
      </Permitted>
    </Page>
  );
}

function NewAgent() {
  const texts = useAgentTexts();
  const navigate = useNavigate();
  const { folder = null } = useSearch({ from: "/app/agents/new" });
  const draft = useAgentDraft("new", NEW_FIELDS, 0);
  const create = useAgentChange(
    () => createAgent({ ...draft.fields, folderId: folder }),
    ({ id }) => {
      draft.discard();
      notify(texts.created);
      void navigate({ to: "/agents/$id", params: { id }, replace: true });
    },
  );
  return (
    <form
      className="grid grid-cols-[minmax(0,1fr)] gap-6"
      onSubmit={(event) => {
        event.preventDefault();
        if (!create.isPending) create.mutate();
      }}
    >
      <AgentForm fields={draft.fields} change={draft.change} isReadOnly={false} />
      <SaveBar
        action={texts.create}
        busy={create.isPending}
        error={create.error}
        hasChanges={draft.hasChanges}
        onDiscard={draft.discard}
      />
    </form>
  );
}
