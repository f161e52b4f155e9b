import { useNavigate } from "@tanstack/react-router";
import { usePermission } from "../shell/queries.ts";
import { useLanguage } from "../texts/language.ts";
import { notify } from "../ui/notices.tsx";
import { Page } from "../ui/page.tsx";
import { SaveBar } from "../ui/save-bar.tsx";
import { TemplateFields } from "./fields.tsx";
import { variablesOf } from "./find-gaps.ts";
import { createTemplate } from "./queries.ts";
import { useTemplateTexts } from "./texts.ts";
import { useTemplateChange } from "./use-change.ts";
import { type Fields, useTemplateDraft } from "./use-template-draft.ts";

const NEW: Omit<Fields, "language"> = {
  name: "",
  description: "",
  content: "",
  variables: [],
  enabled: true,
  scope: "personal",
};

/** Makes a template. */
export function NewTemplatePage() {
  const texts = useTemplateTexts();
  const navigate = useNavigate();
  const language = useLanguage();
  const mayChoose = usePermission("template:administer");
  const draft = useTemplateDraft("new", { ...NEW, language });
  const { fields } = draft;
  const create = useTemplateChange(
    () =>
      createTemplate({
        ...fields,
        variables: variablesOf(fields.content, fields.variables),
      }),
    ({ id }) => {
      draft.discard();
      notify(texts.created);
      void navigate({ to: "/templates/$id", params: { id }, replace: true });
    },
  );
  return (
    <Page title={texts.newTemplate}>
      <form
        className="mx-auto grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-5"
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
          hasChanges={draft.hasChanges}
          onDiscard={draft.discard}
        />
      </form>
    </Page>
  );
}
