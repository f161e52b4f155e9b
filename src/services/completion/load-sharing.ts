import { hash } from "node:crypto";
import type { Target } from "./catalogue.ts";
import type { CompletionRequest } from "./contract.ts";

/**
 * How requests are spread over several endpoints of one model. A conversation stays at one of them,
 * whose prompt cache holds its beginning.
 */
export interface LoadSharing {
  /** The endpoints in the order in which they are to be asked. */
  order(asked: Target, endpoints: readonly Target[], request: CompletionRequest): Target[];
  /** One of them has answered the request. */
  answered(asked: Target, endpoint: Target, request: CompletionRequest): void;
  /** Counts a call to a model while it runs. */
  during<Result>(id: string, run: () => Promise<Result>): Promise<Result>;
}

/** As long as providers keep what they cached. */
const STAY_MS = 10 * 60_000;
const MAX_CONVERSATIONS = 20_000;
/** What tells conversations apart that have no id. */
const MAX_KEY_CHARACTERS = 4_000;

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
    order(asked, endpoints, request) {
      const weights = weightsOf(asked);
      const key = keyOf(asked, request);
      const draws = new Map(
        endpoints.map(({ id }) => [id, draw(key, id, weights.get(id) ?? 1)]),
      );
      const byDraw = endpoints.toSorted(
        (a, b) => (draws.get(a.id) ?? 0) - (draws.get(b.id) ?? 0),
      );
      if (asked.loadSharing?.by !== "least_busy") return byDraw;
      const stays = lastPlace(key);
      const busy = ({ id }: Target) =>
        id === stays ? -1 : ((running.get(id) ?? 0) + 1) / (weights.get(id) ?? 1);
      return byDraw.toSorted((a, b) => busy(a) - busy(b));
    },
    answered(asked, endpoint, request) {
      if (asked.loadSharing?.by !== "least_busy") return;
      const key = keyOf(asked, request);
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

function weightsOf({ id, loadSharing }: Target): ReadonlyMap<string, number> {
  const { weight = 1, with: others = [] } = loadSharing ?? {};
  return new Map([[id, weight], ...others.map((one) => [one.id, one.weight] as const)]);
}

/**
 * What the requests of one conversation have in common: its id or, where clients send all messages
 * each time, how these begin.
 */
function keyOf(asked: Target, { context = {}, messages }: CompletionRequest): string {
  const { conversationId, userId = "" } = context;
  if (conversationId !== undefined) return hash("sha256", `${asked.id}\n${conversationId}`);
  const first = messages.findIndex(({ role }) => role === "user");
  const beginning = messages.slice(0, Math.min(first + 1 || 1, 10)).map(beginningOf);
  return hash("sha256", [asked.id, userId, ...beginning].join("\n"));
}

function beginningOf({ content }: CompletionRequest["messages"][number]): string {
  if (typeof content === "string") return content.slice(0, MAX_KEY_CHARACTERS);
  const texts = content.map((part) => (part.type === "text" ? part.text : ""));
  return texts.join("\n").slice(0, MAX_KEY_CHARACTERS);
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
