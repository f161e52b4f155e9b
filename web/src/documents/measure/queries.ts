import type { RouteEvent, RouteInput } from "../../../../src/platform/http/route.ts";
import {
  evaluationContract,
  MAX_EVALUATED_QUESTIONS,
} from "../../../../src/services/retrieval/contract-evaluation.ts";
import { ENGINES } from "../../../../src/services/retrieval/contract-retrieve.ts";
import { stream } from "../../api/stream.ts";

export { ENGINES, MAX_EVALUATED_QUESTIONS };
export type Engine = (typeof ENGINES)[number];
export type Measurement = RouteInput<typeof evaluationContract.evaluate>["body"];
export type MeasurementEvent = RouteEvent<typeof evaluationContract.evaluate>;
export type Figures = Extract<MeasurementEvent, { type: "result" }>["variants"][number];

/** Asks every question in every way. Leaving the stream ends it. */
export function measure(body: Measurement, signal: AbortSignal) {
  return stream(evaluationContract.evaluate, { body }, { signal });
}
