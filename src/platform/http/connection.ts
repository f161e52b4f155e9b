/** Where a request came in, and what is known of the other end. */
export interface Connection {
  /**
   * `public`: PORT. `internal`: INTERNAL_PORT. `in-process`: a function call of a sibling service.
   */
  listener: "public" | "internal" | "in-process";
  /** The address of the socket's other end. */
  peer: string;
  /** Routes between services answer without a credential. */
  trusted: boolean;
}
