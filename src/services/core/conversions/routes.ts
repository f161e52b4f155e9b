import { userOf } from "../../../platform/http/caller.ts";
import { ApiError } from "../../../platform/http/errors.ts";
import { offsetOf } from "../../../platform/http/page.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import { eventStream } from "../../../platform/http/stream.ts";
import { changeMany } from "../change-many.ts";
import { type ConversionEvent, conversionsContract as contract } from "./contract.ts";
import {
  type ConversionDeps,
  runConversion,
  withChanges,
  withChangesIfPossible,
} from "./run-conversion.ts";
import { findConversion, listConversions, removeConversion, setOutput } from "./store.ts";
import { toApiError } from "../../../platform/http/reported-error.ts";

export function conversionRoutes(routes: Routes, deps: ConversionDeps): void {
  const { db, workers } = deps;
  routes
    .on(contract.convert, async ({ caller, body, signal }) => {
      const events = runConversion(deps, userOf(caller), body, signal);
      // waits for the first event, so that an early refusal is an HTTP error
      const first = await events.next();
      return body.stream ? eventStream(rest(first, events)) : whole(events);
    })
    .on(contract.listConversions, async ({ caller, query }) => {
      const { userId } = userOf(caller);
      const { page, limit } = query;
      const found = await listConversions(db, { ...query, userId }, limit, offsetOf(query));
      return { ...found, page, limit };
    })
    .on(contract.deleteConversions, ({ caller, body, log }) =>
      changeMany(
        body.ids.map((id) => ({ id })),
        log,
        ({ id }) => removeConversion(db, userOf(caller).userId, id),
      ),
    )
    .on(contract.getConversion, async ({ caller, params, signal }) => {
      const { userId } = userOf(caller);
      const conversion = await findConversion(db, userId, params.id);
      return withChanges(workers, conversion, { userId, signal });
    })
    .on(contract.changeConversion, async ({ caller, params, body, signal }) => {
      const { userId } = userOf(caller);
      await findConversion(db, userId, params.id);
      await setOutput(db, params.id, body.output);
      const conversion = await findConversion(db, userId, params.id);
      return withChangesIfPossible(deps, conversion, { userId, signal });
    });
}

async function* rest(
  first: IteratorResult<ConversionEvent[]>,
  events: AsyncGenerator<ConversionEvent[]>,
): AsyncGenerator<ConversionEvent[]> {
  try {
    if (!first.done) yield first.value;
    yield* events;
  } finally {
    await events.return(undefined);
  }
}

async function whole(events: AsyncGenerator<ConversionEvent[]>) {
  for await (const batch of events) {
    for (const event of batch) {
      if (event.type === "done") return event.conversion;
      if (event.type === "error") throw toApiError(event);
    }
  }
  throw new ApiError(
    499,
    "request_cancelled",
    "The request was ended before the conversion was.",
  );
}
