import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { templateQuery } from "../shell/template-queries.ts";
import { useFormDraft } from "../shell/use-form-draft.ts";
import { useNewest } from "../shell/use-newest.ts";
import { AccessReason } from "../sharing/access-reason.tsx";
import { buttonLook } from "../ui/button.tsx";
import { notify } from "../ui/notices.tsx";
import { Page } from "../ui/page.tsx";
import { SaveBar } from "../ui/save-bar.tsx";
import { ProblemPage } from "../ui/problem-page.tsx";
import { Loading } from "../ui/loading.tsx";
import { type Fields, TemplateFields, Preview } from "./fields.tsx";
import { variablesOf } from "./find-gaps.ts";
import { changeTemplate, type Template, useTemplateChange } from "./queries.ts";
import { useRights } from "./rights.ts";
import { RowMenu } from "./row-menu.tsx";
import { Whose } from "./row.tsx";
import { useTemplateTexts } from "./texts.ts";

/** A template, which can be edited if the user may change it. */
export function TemplatePage() {
  const texts = useTemplateTexts();
  const navigate = useNavigate();
  const { id } = useParams({ from: "/app/templates/$id" });
  const { data: template, error, refetch } = useQuery(templateQuery(id));
  const rights = useRights();
  if (error && !template)
    return (
      <ProblemPage
        title={texts.title}
        list={{ to: "/templates", label: texts.title }}
        error={error}
        onRetry={() => void refetch()}
      />
    );
  if (!template) return <Loading shape="page" lines={5} />;
  const isChangeable = rights.update(template) && !template.builtIn;
  const onDeleted = () => void navigate({ to: "/templates" });
  return (
    <Page
      title={template.name}
      back={{ to: "/templates", label: texts.title }}
      actions={
        <>
          {template.enabled && (
            <Link to="/" search={{ template: id }} className={buttonLook("primary")}>
              {texts.use}
            </Link>
          )}
          <RowMenu template={template} onDeleted={onDeleted} />
        </>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <p className="text-muted">
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
  const draft = useFormDraft(`template:${template.id}`, fieldsOf(template));
  const readNewest = useNewest(templateQuery(template.id));
  const save = useTemplateChange(
    async () => {
      const {
        name,
        description,
        content: text,
        variables: gaps,
        language,
        enabled,
      } = texts;
      const { changes, merged } = await draft.toSave(
        async () => fieldsOf(await readNewest()),
        { name, description, content: text, variables: gaps, language, enabled },
      );
      const { scope: _, ...own } = changes;
      const hasGaps = "content" in own || "variables" in own;
      return changeTemplate(template.id, {
        ...own,
        ...(hasGaps && { variables: variablesOf(merged.content, merged.variables) }),
      });
    },
    () => {
      draft.forget();
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
      <TemplateFields fields={draft.values} change={draft.change} choosesScope={false} />
      <SaveBar
        action={texts.save}
        busy={save.isPending}
        error={save.error}
        hasChanges={draft.isChanged}
        onDiscard={draft.forget}
      />
    </form>
  );
}

function fieldsOf(template: Template): Fields {
  const { name, description, content, variables, language, enabled, scope } = template;
  return { name, description, content, variables, language, enabled, scope };
}
