import { useEffect, useRef, useState } from "react";
import { Failure, toFailure, toStoredFailure } from "../../api/failure.ts";
import {
  type Figures,
  measure,
  type Measurement,
  type MeasurementEvent,
} from "./queries.ts";

export type MeasurementState =
  | { status: "running"; done: number; total: number }
  | { status: "done"; variants: Figures[] }
  | { status: "stopped" }
  | { status: "failed"; error: Failure };

/** Runs one measurement at a time. Leaving the page ends it. */
export function useMeasurement() {
  const [state, setState] = useState<MeasurementState>();
  const controller = useRef<AbortController>(null);
  useEffect(() => () => controller.current?.abort(), []);
  const start = async (body: Measurement) => {
    const current = new AbortController();
    controller.current = current;
    const total = body.questions.length * body.variants.length;
    let now = toState({ type: "progress", done: 0, total });
    setState(now);
    try {
      for await (const batch of measure(body, current.signal)) {
        const last = batch.at(-1);
        if (last) setState((now = toState(last.event)));
      }
      if (now.status === "running")
        throw new Failure("connection_cut", "The connection ended.");
    } catch (error) {
      const isStopped = current.signal.aborted;
      setState(
        isStopped ? { status: "stopped" } : { status: "failed", error: toFailure(error) },
      );
    }
  };
  return { state, start, stop: () => controller.current?.abort() };
}

function toState(event: MeasurementEvent): MeasurementState {
  if (event.type === "progress")
    return { status: "running", done: event.done, total: event.total };
  if (event.type === "result") return { status: "done", variants: event.variants };
  return { status: "failed", error: toStoredFailure(event) };
}
