import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useFormDraft } from "../shell/use-form-draft.ts";
import { Page } from "../ui/page.tsx";
import { AskStep } from "./ask-step.tsx";
import { FileStep } from "./file-step.tsx";
import { ModelStep } from "./model-step.tsx";
import { documentQuery } from "./queries.ts";
import { useWelcomeTexts } from "./texts.ts";

/** What survives a reload. */
interface Draft {
  documentId?: string | undefined;
  question: string;
}

/** Leads from an empty installation to an answer with its source, on one page. */
export function WelcomePage() {
  const texts = useWelcomeTexts();
  const draft = useFormDraft<Draft>("welcome", { question: "" });
  const { documentId, question } = draft.values;
  const document = useQuery(documentQuery(documentId)).data;
  return (
    <Page
      title={texts.title}
      actions={
        <Link to="/" className="inline-flex min-h-8 items-center text-accent underline">
          {texts.skip}
        </Link>
      }
    >
      <div className="mx-auto grid max-w-measure gap-8 pt-4">
        <p className="text-base text-muted">{texts.intro}</p>
        <ModelStep />
        <FileStep document={document} onChange={(id) => draft.change({ documentId: id })} />
        <AskStep
          question={question}
          onQuestion={(text) => draft.change({ question: text })}
          onAsked={draft.forget}
          isReady={document?.status === "PROCESSED"}
          hasFile={document !== undefined}
        />
      </div>
    </Page>
  );
}
