import { useMutation } from "@tanstack/react-query";
import { CircleAlert, CircleCheck, FileUp } from "lucide-react";
import { type DragEvent, useRef, useState } from "react";
import { toStoredFailure } from "../api/failure.ts";
import { Button } from "../ui/button.tsx";
import { join } from "../ui/join.ts";
import { Progress } from "../ui/progress.tsx";
import { Problem } from "../ui/states.tsx";
import { type StoredDocument, uploadFile } from "./queries.ts";
import { sampleFile } from "./sample.ts";
import { Step } from "./step.tsx";
import { useWelcomeTexts } from "./texts.ts";

interface FileStepProps {
  document: StoredDocument | undefined;
  onChange: (documentId: string | undefined) => void;
}

/** Uploads a file, and shows its progress. */
export function FileStep({ document, onChange }: FileStepProps) {
  const texts = useWelcomeTexts();
  const [sent, setSent] = useState(0);
  const upload = useMutation({
    mutationFn: (file: File) => uploadFile(file, setSent),
    onSuccess: ({ id }) => onChange(id),
  });
  return (
    <Step title={texts.fileTitle}>
      {upload.error && <Problem error={upload.error} />}
      {upload.isPending && <Progress label={texts.choose} value={sent} />}
      {document && <Reading document={document} onReset={() => onChange(undefined)} />}
      {!document && !upload.isPending && (
        <DropZone onFile={(file) => upload.mutate(file)} />
      )}
    </Step>
  );
}

function DropZone({ onFile }: { onFile: (file: File) => void }) {
  const texts = useWelcomeTexts();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file) onFile(file);
  };
  return (
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
      className={join(
        "grid justify-items-center gap-2 rounded-lg border-2 border-dashed p-6 text-center",
        isOver ? "border-accent bg-sunken" : "border-hairline",
      )}
    >
      <FileUp aria-hidden size={24} strokeWidth={1.5} className="text-muted" />
      <p>{texts.drop}</p>
      <p className="text-xs text-muted">{texts.fileHint}</p>
      <div className="flex flex-wrap justify-center gap-2 pt-1">
        <Button onClick={() => input.current?.click()}>{texts.choose}</Button>
        <Button look="quiet" onClick={() => onFile(sampleFile())}>
          {texts.sample}
        </Button>
      </div>
      <input
        ref={input}
        type="file"
        hidden
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (file) onFile(file);
        }}
      />
    </div>
  );
}

/** Steps of reading, by how far each is on the whole. */
const SHARE = { UPLOADED: 0.05, PARSING: 0.1, PARSED: 0.5, EMBEDDING: 0.55 } as const;

function Reading({ document, onReset }: { document: StoredDocument; onReset: () => void }) {
  const texts = useWelcomeTexts();
  const { fileName, status, progress, error } = document;
  if (status === "FAILED") {
    return (
      <div className="grid justify-items-start gap-2">
        <p className="flex items-center gap-2 text-danger">
          <CircleAlert aria-hidden size={18} />
          <bdi>{texts.failed(fileName)}</bdi>
        </p>
        {error && <Problem error={toStoredFailure(error)} />}
        <Button onClick={onReset}>{texts.another}</Button>
      </div>
    );
  }
  if (status === "PROCESSED") {
    return (
      <p role="status" className="flex items-center gap-2 text-ok">
        <CircleCheck aria-hidden size={18} />
        <bdi>{texts.ready(fileName)}</bdi>
      </p>
    );
  }
  return (
    <div role="status" className="grid gap-2">
      <bdi>{texts.reading(fileName)}</bdi>
      <Progress label={texts.reading(fileName)} value={SHARE[status] + progress * 0.4} />
    </div>
  );
}
