/** One promise of docs/security.md, with its evidence. */
export interface SecurityPromise {
  promise: string;
  /** How many cases must hold. */
  minimum: number;
  /** How many hold in a short run, if a full one takes hours. */
  short?: number;
  /** The unit of the count. */
  unit: string;
  /** Tests that call `held` with the promise's key. */
  files: readonly string[];
  /** Why there is no evidence, or what the machine needs for it. */
  missing?: string;
}
