import { FileText, FileUp } from "lucide-react";
import { useRef, useState, useEffect } from "react";
import { usePermission } from "../shell/queries.ts";
import { useList } from "../shell/use-list.ts";
import { Button } from "../ui/button.tsx";
import { Chooser } from "../ui/chooser.tsx";
import { Problem } from "../ui/states.tsx";
import {
  documentsQuery,
  readDocument,
  readDocumentText,
  uploadAttachment,
} from "./queries.ts";
import { useTextTexts } from "./texts.ts";
import { Failure, toFailure, toStoredFailure } from "../api/failure.ts";

/** Takes the text of a file of this device, or of a document. */
export function SourceButtons({ onText }: { onText: (text: string) => void }) {
  const texts = useTextTexts();
  const input = useRef<HTMLInputElement>(null);
  const [isChoosing, setChoosing] = useState(false);
  const reading = useFileText(onText);
  const mayRead = usePermission("document:read");
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <Button busy={reading.isReading} onClick={() => input.current?.click()}>
          <FileUp aria-hidden size={16} />
          {texts.openFile}
        </Button>
        <input
          ref={input}
          type="file"
          hidden
          onChange={(event) => {
            const [file] = event.target.files ?? [];
            if (file) reading.readFile(file);
            event.target.value = "";
          }}
        />
        {mayRead && (
          <Button busy={reading.isReading} onClick={() => setChoosing(true)}>
            <FileText aria-hidden size={16} />
            {texts.fromDocument}
          </Button>
        )}
        {reading.isReading && (
          <span role="status" className="text-xs text-muted">
            {texts.reading}
          </span>
        )}
      </div>
      {reading.error && <Problem error={reading.error} />}
      {isChoosing && (
        <Chooser
          title={texts.fromDocument}
          useList={useDocuments}
          keyOf={({ id }) => id}
          labelOf={({ fileName }) => <bdi>{fileName}</bdi>}
          chosen={[]}
          max={1}
          onChange={(_, { id }) => {
            setChoosing(false);
            reading.readDocument(id);
          }}
          onClose={() => setChoosing(false)}
        />
      )}
    </div>
  );
}

function useDocuments(words: string | undefined) {
  return useList(documentsQuery(words));
}

const POLL_MS = 1_000;
/** Files that are texts already; others are read by the server. */
const PLAIN = /\.(txt|md|markdown|csv|log)$/i;

/**
 * Reads the text of a file. One that is no plain text is uploaded; it does not become a document.
 */
function useFileText(onText: (text: string) => void) {
  const [isReading, setReading] = useState(false);
  const [error, setError] = useState<Failure>();
  const controller = useRef<AbortController>(undefined);
  useEffect(() => () => controller.current?.abort(), []);
  const run = (read: (signal: AbortSignal) => Promise<string>) => {
    controller.current?.abort();
    const { signal } = (controller.current = new AbortController());
    setReading(true);
    setError(undefined);
    read(signal)
      .then(onText)
      .catch((thrown: unknown) => {
        if (!signal.aborted) setError(toFailure(thrown));
      })
      .finally(() => setReading(false));
  };
  return {
    isReading,
    error,
    readFile(file: File) {
      run(async (signal) => {
        if (PLAIN.test(file.name)) return file.text();
        const { id } = await uploadAttachment(file, { signal });
        return readWhenReady(id, signal);
      });
    },
    readDocument: (id: string) => run((signal) => readWhenReady(id, signal)),
  };
}

/** @throws Failure with the document's own reason when it cannot be read. */
async function readWhenReady(id: string, signal: AbortSignal): Promise<string> {
  for (;;) {
    const { parsing, status, error } = await readDocument(id, signal);
    if (parsing) return readDocumentText(id, signal);
    if (status === "FAILED") {
      throw error
        ? toStoredFailure(error)
        : new Failure("bad_answer", "The file cannot be read.");
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    signal.throwIfAborted();
  }
}
