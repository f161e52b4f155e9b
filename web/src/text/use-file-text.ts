import { useEffect, useRef, useState } from "react";
import { Failure, toFailure, toStoredFailure } from "../api/failure.ts";
import { readDocument, readDocumentText, uploadDocument } from "./queries.ts";

const POLL_MS = 1_000;
/** Files that are texts already; others are read by the server. */
const PLAIN = /\.(txt|md|markdown|csv|log)$/i;

/**
 * Reads the text of a file. One that is no plain text is uploaded, and stays among the documents.
 */
export function useFileText(onText: (text: string) => void) {
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
        const { id } = await uploadDocument(file, { signal });
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
