import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Page } from "../ui/page.tsx";
import { AskStep } from "./ask-step.tsx";
import { FileStep } from "./file-step.tsx";
import { ModelStep } from "./model-step.tsx";
import { documentQuery } from "./queries.ts";
import { useWelcomeTexts } from "./texts.ts";

/** Leads from an empty installation to an answer with its source, on one page. */
export function WelcomePage() {
  const texts = useWelcomeTexts();
  const [documentId, setDocumentId] = useState<string>();
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
        <FileStep document={document} onChange={setDocumentId} />
        <AskStep
          isReady={document?.status === "PROCESSED"}
          hasFile={document !== undefined}
        />
      </div>
    </Page>
  );
}
