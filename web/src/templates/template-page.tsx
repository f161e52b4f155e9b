import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { toFailure } from "../api/failure.ts";
import { usePermission } from "../shell/queries.ts";
import { AccessReason } from "../sharing/access-reason.tsx";
import { notify } from "../ui/notices.tsx";
import { Page } from "../ui/page.tsx";
import { SaveBar } from "../ui/save-bar.tsx";
import { Loading, Problem } from "../ui/states.tsx";
import { TemplateFields } from "./fields.tsx";
import { variablesOf } from "./find-gaps.ts";
import { Preview } from "./preview.tsx";
import { changeTemplate, type Template, templateQuery } from "./queries.ts";
import { isEditable, RowMenu } from "./row-menu.tsx";
import { Whose } from "./row.tsx";
import { useTemplateTexts } from "./texts.ts";
import { useTemplateChange } from "./use-change.ts";
import { useTemplateDraft } from "./use-template-draft.ts";

/** A template: to change where one may, else to look at. */
export function TemplatePage() {
  const texts = useTemplateTexts();
  const navigate = useNavigate();
  const { id } = useParams({ from: "/app/templates/$id" });
  const { data: template, error, refetch } = useQuery(templateQuery(id));
  const mayUpdate = usePermission("template:update");
  if (error && !template) {
    const isGone = toFailure(error).status === 404;
    return (
      <Page title={texts.title}>
        <Problem error={error} {...(!isGone && { onRetry: () => void refetch() })} />
      </Page>
    );
  }
  if (!template) return <Loading className="pt-16" />;
  const isChangeable = mayUpdate && isEditable(template) && !template.builtIn;
  const onDeleted = () => void navigate({ to: "/templates" });
  return (
    <Page
      title={template.name}
      actions={<RowMenu template={template} onDeleted={onDeleted} />}
    >
      <div className="mx-auto grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-5">
        <p className="text-xs text-muted">
          <Link
            to="/templates"
            className="inline-flex min-h-6 items-center text-accent underline"
          >
            {texts.title}
          </Link>
          {" · "}
          <Whose template={template} />
        </p>
        {template.role !== "owner" && <Reason template={template} />}
        {isChangeable ? (
          <Editor key={id} template={template} />
        ) : (
          <>
            <p className="wrap-anywhere">
              <bdi>{template.description}</bdi>
            </p>
            <Preview content={template.content} variables={template.variables} />
            <p className="text-muted">{texts.readOnly(template.builtIn)}</p>
          </>
        )}
      </div>
    </Page>
  );
}

function Reason({ template: { id, scope, builtIn } }: { template: Template }) {
  const { reasons } = useTemplateTexts();
  const ofAll = builtIn ? "builtIn" : scope === "organization" && scope;
  const known = ofAll ? { known: reasons[ofAll] } : undefined;
  return (
    <AccessReason resource={{ resourceType: "template", resourceId: id }} {...known} />
  );
}

function Editor({ template }: { template: Template }) {
  const texts = useTemplateTexts();
  const draft = useTemplateDraft(template.id, template);
  const { name, description, content, language, enabled, variables } = draft.fields;
  const fields = { name, description, content, language, enabled };
  const save = useTemplateChange(
    () =>
      changeTemplate(template.id, {
        ...fields,
        variables: variablesOf(content, variables),
      }),
    () => {
      draft.discard();
      notify(texts.saved);
    },
  );
  return (
    <form
      className="grid grid-cols-[minmax(0,1fr)] gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (!save.isPending) save.mutate();
      }}
    >
      <TemplateFields fields={draft.fields} change={draft.change} choosesScope={false} />
      <SaveBar
        action={texts.save}
        busy={save.isPending}
        error={save.error}
        hasChanges={draft.hasChanges}
        onDiscard={draft.discard}
      />
    </form>
  );
}
