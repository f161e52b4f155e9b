import { Ticker } from "../ticker.ts";
import { ApiError, Unavailable } from "./errors.ts";

/**
 * With the half second in which a process learns of a revocation, an open stream ends within two
 * seconds.
 */
const ASK_INTERVAL_MS = 1_000;
/** How long a stream stays open while nobody can say whether its reader is still admitted. */
const MAX_UNKNOWN_MS = 60_000;

interface Options {
  /** Asks whether the reader would be admitted now. */
  admitted: () => Promise<unknown>;
  /** Ends the stream. Called at most once. */
  end: (reason: ApiError) => void;
  /** How long a stream outlives the access token that opened it. */
  expiryGraceMs: number;
}

/** One for all streams of the process. */
const ticker = new Ticker(ASK_INTERVAL_MS);

/**
 * Asks, as long as a stream is open, whether its reader would still be admitted. Ends the stream
 * when not: at once when the right was taken, after a grace when the token has merely expired.
 * @returns stops asking.
 */
export function whileAdmitted({ admitted, end, expiryGraceMs }: Options): () => void {
  let expiredAt: number | undefined;
  let unknownAt: number | undefined;
  let isAsking = false;
  let isStopped = false;
  const isOver = (reason: ApiError) => {
    const now = performance.now();
    if (reason.code === "token_expired") {
      unknownAt = undefined;
      return now - (expiredAt ??= now) >= expiryGraceMs;
    }
    if (reason.status === 401 || reason.status === 403) return true;
    return now - (unknownAt ??= now) >= MAX_UNKNOWN_MS;
  };
  const ask = async () => {
    isAsking = true;
    try {
      await admitted();
      expiredAt = unknownAt = undefined;
    } catch (error) {
      const reason = toReason(error);
      if (isStopped || !isOver(reason)) return;
      stop();
      end(reason);
    } finally {
      isAsking = false;
    }
  };
  const stopAsking = ticker.add(() => void (isAsking || ask()));
  return stop;

  function stop(): void {
    isStopped = true;
    stopAsking();
  }
}

function toReason(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const sentence = "The server cannot check your credential. Try again in a moment.";
  return new Unavailable("credential_unchecked", sentence, undefined, { cause: error });
}
