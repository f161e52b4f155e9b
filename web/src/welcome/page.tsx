import { useQueries, useQuery, useMutation } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useFormDraft } from "../shell/use-form-draft.ts";
import { Page } from "../ui/page.tsx";
import { FileStep } from "./file-step.tsx";
import { documentQuery, isRead, selectionsQuery, askDocuments } from "./queries.ts";
import { useBranding } from "../shell/branding.ts";
import { useWelcomeTexts } from "./texts.ts";
import { useState, useEffect } from "react";
import { usePermission } from "../shell/queries.ts";
import { Button, buttonLook } from "../ui/button.tsx";
import { Loading } from "../ui/loading.tsx";
import { Problem } from "../ui/states.tsx";
import { ConnectForm } from "../shell/connect/connect-form.tsx";
import { localServersQuery } from "../shell/connect/queries.ts";
import { Step } from "./step.tsx";
import { TextField } from "../ui/text-field.tsx";
import { newId } from "../api/new-id.ts";

/** What survives a reload. */
interface Draft {
  documentIds: string[];
  question: string;
}

/** Leads from an empty installation to an answer with its source, on one page. */
export function WelcomePage() {
  const texts = useWelcomeTexts();
  const title = texts.title(useBranding().name);
  const selections = useQuery(selectionsQuery);
  const isConnected = selections.data?.items.some(isModel) ?? false;
  const draft = useFormDraft<Draft>("welcome-files", { documentIds: [], question: "" });
  const { documentIds, question } = draft.values;
  const documents = useQueries({ queries: documentIds.map(documentQuery) }).flatMap(
    ({ data }) => data ?? [],
  );
  // what is known first would be moved by what comes then
  if (selections.isPending)
    return (
      <Page title={title} width="measure">
        <Loading shape="fields" lines={4} />
      </Page>
    );
  return (
    <Page title={title} width="measure">
      <div className="grid max-w-measure gap-8">
        <div className="grid gap-2">
          <p className="text-base text-muted">{texts.intro}</p>
          {!isConnected && (
            <Link
              to="/"
              className="inline-flex min-h-8 items-center justify-self-start text-accent underline"
            >
              {texts.skip}
            </Link>
          )}
        </div>
        <ModelStep />
        {isConnected && (
          <div className="grid justify-items-start gap-2">
            <Link
              to="/"
              className={buttonLook(documentIds.length > 0 ? "secondary" : "primary")}
            >
              {texts.start}
            </Link>
            <p className="text-sm text-muted">{texts.startHint}</p>
          </div>
        )}
        <FileStep
          documents={documents}
          onChange={(change) => draft.change({ documentIds: change(documentIds) })}
        />
        <AskStep
          question={question}
          onQuestion={(text) => draft.change({ question: text })}
          onAsked={draft.forget}
          isReady={
            documents.some(({ status }) => status === "PROCESSED") &&
            documents.every(isRead)
          }
          hasFile={documents.some(({ status }) => status !== "FAILED")}
        />
      </div>
    </Page>
  );
}

/** In place of one, the built-in answer by quotes. */
function isModel({ providerName }: { providerName: string }): boolean {
  return providerName !== "offline";
}

/** Says which model answers, and connects one on the spot. */
function ModelStep() {
  const texts = useWelcomeTexts();
  const { data, error, refetch } = useQuery(selectionsQuery);
  const mayConnect = usePermission("model:administer");
  const [isOpen, setOpen] = useState(false);
  const [works, setWorks] = useState(false);
  const model = data?.items[0];
  const isOffline = !model || !isModel(model);
  const looksAround = mayConnect && data !== undefined && isOffline;
  const local = useQuery({ ...localServersQuery, enabled: looksAround }).data?.items ?? [];
  const isShown = isOpen || (looksAround && local.length > 0);
  return (
    <Step title={texts.modelTitle}>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading lines={1} className="p-0" />}
      {data && !(isOffline && isShown && works) && (
        <p className="max-w-prose">
          {isOffline ? texts.noModel : texts.modelReady(model.displayName)}
        </p>
      )}
      {data && isOffline && !mayConnect && (
        <p className="text-muted">{texts.noModelUser}</p>
      )}
      {mayConnect && !isShown && (
        <Button className="justify-self-start" onClick={() => setOpen(true)}>
          {isOffline ? texts.connect : texts.connectAnother}
        </Button>
      )}
      {isShown && (
        <div className="rounded-lg border border-hairline bg-raised p-4">
          <ConnectForm
            takesFocus={isOpen}
            onTested={setWorks}
            onClose={() => setOpen(false)}
          />
        </div>
      )}
    </Step>
  );
}

interface AskStepProps {
  /** Whether the files are read. */
  isReady: boolean;
  hasFile: boolean;
  question: string;
  onQuestion: (question: string) => void;
  onAsked: () => void;
}

/** Asks about the files, at once or as soon as they are read, and goes to the answer. */
function AskStep(props: AskStepProps) {
  const { isReady, hasFile, question, onQuestion, onAsked } = props;
  const texts = useWelcomeTexts();
  const navigate = useNavigate();
  const [key] = useState(() => newId());
  const [isWaiting, setWaiting] = useState(false);
  const asking = useMutation({
    mutationFn: () => askDocuments(question, key),
    async onSuccess(id) {
      onAsked();
      await navigate({ to: "/c/$id", params: { id } });
    },
  });
  const { mutate } = asking;
  useEffect(() => {
    if (!isWaiting || !isReady) return;
    setWaiting(false);
    mutate();
  }, [isWaiting, isReady, mutate]);
  return (
    <Step title={texts.askTitle}>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          setWaiting(true);
        }}
      >
        <TextField
          label={texts.question}
          placeholder={texts.placeholder}
          hint={texts.askHint}
          value={question}
          maxLength={10_000}
          required
          onChange={(event) => onQuestion(event.target.value)}
        />
        {asking.error && <Problem error={asking.error} />}
        <Button
          type="submit"
          look="primary"
          className="justify-self-start"
          busy={isWaiting || asking.isPending}
          disabled={!hasFile}
        >
          {texts.ask}
        </Button>
      </form>
    </Step>
  );
}
