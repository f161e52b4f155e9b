import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { toReportedFailure } from "../api/failure.ts";
import { usePermission } from "../shell/queries.ts";
import { useChange } from "../shell/use-change.ts";
import { useFormDraft } from "../shell/use-form-draft.ts";
import { useNewest } from "../shell/use-newest.ts";
import { formatTime } from "../texts/format.ts";
import { Button } from "../ui/button.tsx";
import { BackLink } from "../ui/back-link.tsx";
import { notify } from "../ui/notices.tsx";
import { SaveBar } from "../ui/save-bar.tsx";
import { Loading } from "../ui/loading.tsx";
import { Problem } from "../ui/states.tsx";
import { TextArea } from "../ui/text-area.tsx";
import { Deletion } from "./kept.tsx";
import { OutputView } from "./output-view.tsx";
import { changeOutput, type Conversion, conversionQuery } from "./queries.ts";
import { useTextTexts } from "./texts.ts";

/** A stored conversion: the text, its result, and a way to edit the result. */
export function KeptText() {
  const texts = useTextTexts();
  const navigate = useNavigate();
  const { id } = useParams({ from: "/app/text/kept/$id" });
  const { data: conversion, error, refetch } = useQuery(conversionQuery(id));
  const [isDeleting, setDeleting] = useState(false);
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!conversion) return <Loading className="px-0" />;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Facts conversion={conversion} onDelete={() => setDeleting(true)} />
      {conversion.error && <Problem error={toReportedFailure(conversion.error)} />}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-6 lg:grid-cols-2">
        <section aria-label={texts.text} className="grid content-start gap-3">
          <h2 className="text-lg">{texts.text}</h2>
          <p
            dir="auto"
            className="max-h-[60dvh] overflow-y-auto rounded-lg border border-hairline p-4 whitespace-pre-wrap wrap-anywhere"
            // it may scroll
            tabIndex={0}
          >
            {conversion.input}
          </p>
        </section>
        <section
          aria-label={texts.result}
          className="grid grid-cols-[minmax(0,1fr)] content-start gap-3"
        >
          <h2 className="text-lg">{texts.result}</h2>
          <Output key={id} conversion={conversion} />
        </section>
      </div>
      {isDeleting && (
        <Deletion
          ids={[id]}
          onClose={() => setDeleting(false)}
          onDone={() => void navigate({ to: "/text/kept" })}
        />
      )}
    </div>
  );
}

interface FactsProps {
  conversion: Conversion;
  onDelete: () => void;
}

/** The kind of the conversion, its time and its model. */
function Facts({ conversion, onDelete }: FactsProps) {
  const texts = useTextTexts();
  const mayDelete = usePermission("conversion:delete");
  const { type, targetLanguage, createdAt, model, status } = conversion;
  const facts = [texts.tools[type], targetLanguage, formatTime(createdAt), model];
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <BackLink to="/text/kept" label={texts.tabs.kept} />
      <p className="min-w-0 flex-1 basis-56 text-xs text-muted">
        {facts.filter(Boolean).join(" · ")}
        {status !== "complete" && ` · ${texts.statuses[status]}`}
      </p>
      {mayDelete && (
        <Button look="danger" onClick={onDelete}>
          {texts.delete}
        </Button>
      )}
    </div>
  );
}

function Output({ conversion }: { conversion: Conversion }) {
  const texts = useTextTexts();
  const { id, output, status } = conversion;
  const form = useFormDraft(`conversion:${id}`, { output });
  const [isEditing, setEditing] = useState(form.isChanged);
  const readNewest = useNewest(conversionQuery(id));
  const mayUpdate = usePermission("conversion:update") && status !== "running";
  const close = () => {
    form.forget();
    setEditing(false);
  };
  const save = useChange({
    async run() {
      const read = async () => ({ output: (await readNewest()).output });
      const { merged } = await form.toSave(read, { output: texts.result });
      return changeOutput(id, merged.output);
    },
    keys: [["conversions"], ["conversion", id]],
    onDone() {
      close();
      notify(texts.saved);
    },
  });
  if (!isEditing)
    return (
      <>
        {output && <OutputView conversion={conversion} />}
        {mayUpdate && (
          <Button className="justify-self-start" onClick={() => setEditing(true)}>
            {texts.edit}
          </Button>
        )}
      </>
    );
  return (
    <form
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (!save.isPending) save.mutate();
      }}
    >
      <TextArea
        label={texts.result}
        value={form.values.output}
        rows={10}
        maxLength={4_000_000}
        dir="auto"
        autoFocus
        onChange={(event) => form.change({ output: event.target.value })}
      />
      <SaveBar
        action={texts.save}
        busy={save.isPending}
        error={save.error}
        hasChanges
        onDiscard={close}
      />
    </form>
  );
}
