/** One promise of docs/security.md, with what shows it. */
export interface SecurityPromise {
  promise: string;
  /** How many cases must hold. */
  minimum: number;
  /** How many hold in a short run, where a full one takes hours. */
  short?: number;
  /** What is counted. */
  unit: string;
  /** Tests that call `held` with the promise's key. */
  files: readonly string[];
  /** Why it is not shown, or what the machine needs to show it. */
  missing?: string;
}
