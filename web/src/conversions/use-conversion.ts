import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { ConversionEvent } from "../../../src/services/core/conversions/contract.ts";
import { Failure, toFailure, toReportedFailure } from "../api/failure.ts";
import { type Conversion, convert, type NewConversion } from "./queries.ts";

/** A conversion in progress. */
export interface Running {
  id?: string;
  text: string;
  isRunning: boolean;
  isStopped: boolean;
  /** Of a long text: how many pieces are done. */
  progress?: { done: number; of: number };
  /** As it is stored, once it is complete. */
  result?: Conversion;
  error?: Failure;
}

const SHOW_INTERVAL_MS = 50;
const BEGINNING: Running = { text: "", isRunning: true, isStopped: false };

/** Converts a text, which streams. Leaving the page ends it; what there is stays in the list. */
export function useConversion() {
  const queries = useQueryClient();
  const [shown, setShown] = useState<Running>();
  const current = useRef<Running>(BEGINNING);
  const controller = useRef<AbortController>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(
    () => () => {
      controller.current?.abort();
      clearTimeout(timer.current);
    },
    [],
  );
  const show = () => {
    clearTimeout(timer.current);
    timer.current = undefined;
    setShown(current.current);
  };
  const change = (next: Partial<Running>) => {
    current.current = { ...current.current, ...next };
    timer.current ??= setTimeout(show, SHOW_INTERVAL_MS);
  };
  return {
    running: shown,
    async start(body: NewConversion) {
      controller.current?.abort();
      const { signal } = (controller.current = new AbortController());
      current.current = BEGINNING;
      show();
      try {
        for await (const batch of convert(body, signal)) {
          for (const { event } of batch) change(applied(current.current, event));
        }
        const { result, error } = current.current;
        if (!result && !error) throw new Failure("connection_cut", "The connection ended.");
      } catch (error) {
        if (!signal.aborted) change({ error: toFailure(error) });
      }
      if (controller.current.signal !== signal) return;
      change({ isRunning: false, isStopped: signal.aborted });
      show();
      await queries.invalidateQueries({ queryKey: ["conversions"] });
    },
    stop: () => controller.current?.abort(),
    clear() {
      controller.current?.abort();
      setShown(undefined);
    },
  };
}

function applied(running: Running, event: ConversionEvent): Partial<Running> {
  switch (event.type) {
    case "conversion":
      return { id: event.id };
    case "progress":
      return { progress: { done: event.done, of: event.of } };
    case "text_delta":
      return { text: running.text + event.delta };
    case "done":
      return { text: event.conversion.output, result: event.conversion };
    case "error":
      return { error: toReportedFailure(event) };
    default:
      return {};
  }
}
