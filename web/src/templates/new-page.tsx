import { useNavigate } from "@tanstack/react-router";
import { Permitted } from "../shell/permitted.tsx";
import { usePermission } from "../shell/queries.ts";
import { useFormDraft } from "../shell/use-form-draft.ts";
import { useLanguage } from "../texts/language.ts";
import { notify } from "../ui/notices.tsx";
import { Page } from "../ui/page.tsx";
import { SaveBar } from "../ui/save-bar.tsx";
import { type Fields, TemplateFields } from "./fields.tsx";
import { variablesOf } from "./find-gaps.ts";
import { createTemplate, useTemplateChange } from "./queries.ts";
import { useTemplateTexts } from "./texts.ts";
const NEW: Omit<Fields, "language"> = {
  name: "",
  description: "",
  content: "",
  variables: [],
  enabled: true,
  scope: "personal",
};

/** Creates a template. */
export function NewTemplatePage() {
  const texts = useTemplateTexts();
  return (
    <Page title={texts.newTemplate} back={{ to: "/templates", label: texts.title }}>
      <Permitted permission="template:create">
        <NewTemplate />
      </Permitted>
    </Page>
  );
}

function NewTemplate() {
  const texts = useTemplateTexts();
  const navigate = useNavigate();
  const language = useLanguage();
  const mayChoose = usePermission("template:administer");
  const draft = useFormDraft<Fields>("template:new", { ...NEW, language });
  const { values: fields } = draft;
  const create = useTemplateChange(
    () =>
      createTemplate({
        ...fields,
        variables: variablesOf(fields.content, fields.variables),
      }),
    ({ id }) => {
      draft.forget();
      notify(texts.created);
      void navigate({ to: "/templates/$id", params: { id }, replace: true });
    },
  );
  return (
    <form
      className="grid grid-cols-[minmax(0,1fr)] gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (!create.isPending) create.mutate();
      }}
    >
      <TemplateFields fields={fields} change={draft.change} choosesScope={mayChoose} />
      <SaveBar
        action={texts.create}
        busy={create.isPending}
        error={create.error}
        hasChanges={draft.isChanged}
        onDiscard={draft.forget}
      />
    </form>
  );
}
