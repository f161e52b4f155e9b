/** What is needed of a model, or of anything else, in whose place others may answer. */
export interface Candidate {
  id: string;
  name: string;
  /** Ids of those that answer in its place when it fails, in their order. */
  fallbacks: readonly string[];
  /** Which of these are the same elsewhere and share its load. */
  loadSharing?: Sharing | undefined;
}

interface Sharing {
  by: "weight" | "least_busy";
  weight: number;
  with: readonly { id: string; weight: number }[];
}

/** Who answered, where it was not the one that was asked. */
export interface Replacement {
  model: string;
  name: string;
  insteadOf: string;
  /** Of the failure; absent where this is the same one at another endpoint. */
  code?: string;
}

/** What a failure means for those that were not asked yet. */
export interface FailureMeaning {
  /**
   * Whether another may answer instead: always, or only where the one that failed is a fallback
   * itself, which cannot take what the one that was asked might have taken.
   */
  replaced?: "always" | "after a fallback";
  /** Where others may answer, it is left alone: until it recovers, or a person mends it. */
  rest?: "short" | "long";
}
