import { useEffect, useRef, useState } from "react";
import { Failure, toFailure, toReportedFailure } from "../api/failure.ts";
import { type FlowEvent, runFlow } from "./queries.ts";

type Result = Extract<FlowEvent, { type: "done" }>;

export interface FlowRun {
  status: "running" | "done" | "stopped" | "failed";
  text: string;
  result?: Result;
  error?: Failure;
}

/** Runs a flow; its text grows while it comes. Leaving the page ends the run. */
export function useFlowRun(flowId: string) {
  const [run, setRun] = useState<FlowRun>();
  const controller = useRef<AbortController>(null);
  useEffect(() => () => controller.current?.abort(), []);
  const start = async (input: string, sessionId: string | undefined) => {
    const current = new AbortController();
    controller.current = current;
    let now: FlowRun = { status: "running", text: "" };
    setRun(now);
    try {
      for await (const batch of runFlow(flowId, { input, sessionId }, current.signal)) {
        now = batch.reduce((before, { event }) => applyEvent(before, event), now);
        setRun(now);
      }
      if (now.status === "running")
        throw new Failure("connection_cut", "The connection ended.");
    } catch (error) {
      const isStopped = current.signal.aborted;
      setRun(
        isStopped
          ? { ...now, status: "stopped" }
          : { ...now, status: "failed", error: toFailure(error) },
      );
    }
  };
  return { run, start, stop: () => controller.current?.abort() };
}

function applyEvent(run: FlowRun, event: FlowEvent): FlowRun {
  if (event.type === "text_delta") return { ...run, text: run.text + event.delta };
  if (event.type === "done") return { status: "done", text: event.output, result: event };
  return { ...run, status: "failed", error: toReportedFailure(event) };
}
