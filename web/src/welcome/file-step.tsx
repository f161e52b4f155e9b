import { useMutation } from "@tanstack/react-query";
import { CircleAlert, CircleCheck, FileUp } from "lucide-react";
import { type DragEvent, useEffect, useRef, useState } from "react";
import { toStoredFailure } from "../api/failure.ts";
import { Button } from "../ui/button.tsx";
import { join } from "../ui/join.ts";
import { Progress } from "../ui/progress.tsx";
import { Problem } from "../ui/states.tsx";
import { type StoredDocument, uploadFile } from "./queries.ts";
import { Step } from "./step.tsx";
import { useWelcomeTexts } from "./texts.ts";
import { isolate } from "../texts/isolate.ts";
import { currentLanguage } from "../texts/language.ts";

/** More are uploaded on the page of documents. */
const MAX_FILES = 10;

interface FileStepProps {
  documents: readonly StoredDocument[];
  onChange: (change: (ids: readonly string[]) => string[]) => void;
}

/** Uploads files, and shows the progress of each. */
export function FileStep({ documents, onChange }: FileStepProps) {
  const texts = useWelcomeTexts();
  const [sent, setSent] = useState(0);
  const [waiting, setWaiting] = useState<readonly File[]>([]);
  const upload = useMutation({
    mutationFn: (file: File) => uploadFile(file, setSent),
    onSuccess: ({ id }) => onChange((ids) => [...ids, id]),
    onSettled: () => setWaiting((files) => files.slice(1)),
  });
  const { mutate } = upload;
  const [next] = waiting;
  useEffect(() => {
    if (next) mutate(next);
  }, [next, mutate]);
  const remove = (id: string) => onChange((ids) => ids.filter((one) => one !== id));
  return (
    <Step title={texts.fileTitle}>
      {upload.error && <Problem error={upload.error} />}
      {documents.map((document) => (
        <Reading
          key={document.id}
          document={document}
          onReset={() => remove(document.id)}
        />
      ))}
      {next && <Progress label={texts.sending(next.name)} value={sent} />}
      {!next && documents.length < MAX_FILES && (
        <DropZone
          isSmall={documents.length > 0}
          onFiles={(files) => setWaiting(files.slice(0, MAX_FILES - documents.length))}
        />
      )}
    </Step>
  );
}

interface DropZoneProps {
  /** Whether there are files already, and this adds more. */
  isSmall: boolean;
  onFiles: (files: readonly File[]) => void;
}

function DropZone({ isSmall, onFiles }: DropZoneProps) {
  const texts = useWelcomeTexts();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const files = [...event.dataTransfer.files];
    if (files.length > 0) onFiles(files);
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
        isSmall && "justify-items-start p-3",
      )}
    >
      {!isSmall && (
        <>
          <FileUp aria-hidden size={24} strokeWidth={1.5} className="text-muted" />
          <p>{texts.drop}</p>
          <p className="text-xs text-muted">{texts.fileHint}</p>
        </>
      )}
      <div className="flex flex-wrap justify-center gap-2 pt-1">
        <Button onClick={() => input.current?.click()}>
          {isSmall ? texts.more : texts.choose}
        </Button>
        {!isSmall && (
          <Button look="quiet" onClick={() => onFiles([sampleFile()])}>
            {texts.sample}
          </Button>
        )}
      </div>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          if (files.length > 0) onFiles(files);
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
          {texts.failed(isolate(fileName))}
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
        {texts.ready(isolate(fileName))}
      </p>
    );
  }
  return (
    <div role="status" className="grid gap-2">
      {texts.reading(isolate(fileName))}
      <Progress label={texts.reading(fileName)} value={SHARE[status] + progress * 0.4} />
    </div>
  );
}

const SAMPLE = {
  en: [
    "handbook-sample.md",
    `# Handbook of the Harbour Library

## Holidays

Everybody who works full time has 31 days of holidays a year. Whoever works part time has as many
days in proportion. Days that are not taken by 31 December may be taken until 31 March.

## Opening hours

The library opens at 9:00 and closes at 18:30. On Saturdays it closes at 13:00. It is closed on
Sundays and public holidays.

## Loans

A reader may borrow 12 books at a time, for four weeks. A loan can be renewed twice, unless somebody
else has reserved the book. A late book costs 30 cents a day.

## Travel

Train tickets of the second class are paid in full. A night in a hotel is paid up to 120 euros.
`,
  ],
  de: [
    "handbuch-beispiel.md",
    `# Handbuch der Hafenbibliothek

## Urlaub

Alle, die Vollzeit arbeiten, haben 31 Urlaubstage im Jahr. Bei Teilzeit sind es anteilig weniger.
Tage, die bis zum 31. Dezember nicht genommen sind, können bis zum 31. März genommen werden.

## Öffnungszeiten

Die Bibliothek öffnet um 9:00 Uhr und schließt um 18:30 Uhr, samstags um 13:00 Uhr. An Sonn- und
Feiertagen ist sie geschlossen.

## Ausleihe

Man kann 12 Bücher auf einmal ausleihen, für vier Wochen. Eine Ausleihe kann zweimal verlängert
werden, wenn niemand das Buch vorgemerkt hat. Ein verspätetes Buch kostet 30 Cent am Tag.

## Reisen

Bahnfahrten zweiter Klasse werden ganz bezahlt, eine Hotelnacht bis 120 Euro.
`,
  ],
} as const;

/** A sample file. */
function sampleFile(): File {
  const [name, text] = SAMPLE[currentLanguage()];
  return new File([text], name, { type: "text/markdown" });
}
