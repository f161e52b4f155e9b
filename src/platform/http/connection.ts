/** The listener on which a request arrived, and its client. */
export interface Connection {
  /**
   * `public`: PORT. `internal`: INTERNAL_PORT. `in-process`: a function call of another service.
   */
  listener: "public" | "internal" | "in-process";
  /** The address of the client. */
  peer: string;
  /** Whether routes between services need no credential on this connection. */
  trusted: boolean;
  /** Whether only the operator and programs of the operator's network can make this connection. */
  isLocal: boolean;
}
