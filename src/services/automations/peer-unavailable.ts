/**
 * Codes of calls to a service that restarts or cannot be reached. It will be back, so such a
 * failure counts as no attempt.
 */
export const PEER_UNAVAILABLE = [
  "service_unreachable",
  "upstream_timeout",
  "sibling_refused",
  "shutting_down",
];
