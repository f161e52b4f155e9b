import { hash } from "node:crypto";
import { uuidv7 } from "uuidv7";
import type { Candidate } from "./candidate.ts";

/**
 * How requests are spread over several endpoints of one model. A conversation stays at one of them,
 * whose prompt cache holds its beginning.
 */
export interface LoadSharing {
  /**
   * The endpoints in the order in which they are to be asked. `key`: what the requests of one
   * conversation have in common; without it each request is by itself.
   */
  order<One extends Candidate>(
    asked: Candidate,
    endpoints: readonly One[],
    key: string | undefined,
  ): One[];
  /** One of them has answered the request. */
  answered(asked: Candidate, endpoint: Candidate, key: string | undefined): void;
  /** Counts a call to a model while it runs. */
  during<Result>(id: string, run: () => Promise<Result>): Promise<Result>;
}

/** As long as providers keep what they cached. */
const STAY_MS = 10 * 60_000;
const MAX_CONVERSATIONS = 20_000;

export function createLoadSharing(
  now: () => number = () => performance.now(),
): LoadSharing {
  /** Running calls, by the id of the model. */
  const running = new Map<string, number>();
  /** Where conversations were answered last, the oldest first. */
  const places = new Map<string, { id: string; at: number }>();

  const lastPlace = (key: string) => {
    const place = places.get(key);
    return place && now() - place.at < STAY_MS ? place.id : undefined;
  };

  return {
    order(asked, endpoints, given) {
      const weights = weightsOf(asked);
      const key = given ?? uuidv7();
      const draws = new Map(
        endpoints.map(({ id }) => [id, draw(key, id, weights.get(id) ?? 1)]),
      );
      const byDraw = endpoints.toSorted(
        (a, b) => (draws.get(a.id) ?? 0) - (draws.get(b.id) ?? 0),
      );
      if (asked.loadSharing?.by !== "least_busy") return byDraw;
      const stays = lastPlace(key);
      const busy = ({ id }: Candidate) =>
        id === stays ? -1 : ((running.get(id) ?? 0) + 1) / (weights.get(id) ?? 1);
      return byDraw.toSorted((a, b) => busy(a) - busy(b));
    },
    answered(asked, endpoint, key) {
      if (asked.loadSharing?.by !== "least_busy" || key === undefined) return;
      places.delete(key);
      places.set(key, { id: endpoint.id, at: now() });
      if (places.size > MAX_CONVERSATIONS) forgetOldest(places);
    },
    async during(id, run) {
      running.set(id, (running.get(id) ?? 0) + 1);
      try {
        return await run();
      } finally {
        const left = (running.get(id) ?? 1) - 1;
        if (left > 0) running.set(id, left);
        else running.delete(id);
      }
    },
  };
}

function weightsOf({ id, loadSharing }: Candidate): ReadonlyMap<string, number> {
  const { weight = 1, with: others = [] } = loadSharing ?? {};
  return new Map([[id, weight], ...others.map((one) => [one.id, one.weight] as const)]);
}

/**
 * Weighted rendezvous hashing: the least wins, as often as its weight says. All processes draw the
 * same, and where an endpoint is left out, only its conversations move.
 */
function draw(key: string, id: string, weight: number): number {
  const bits = Number.parseInt(hash("sha256", `${key}\n${id}`).slice(0, 12), 16);
  return -Math.log((bits + 1) / (2 ** 48 + 1)) / weight;
}

function forgetOldest(places: Map<string, unknown>): void {
  for (const key of places.keys()) {
    places.delete(key);
    return;
  }
}
