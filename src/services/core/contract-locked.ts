/** What routes say that change what another user may be editing. See docs/sharing.md. */

export const lockHeader = {
  "X-Lock-Token":
    "The `token` of the caller's editing lock: 409 `lock_lost` if a newer one exists",
} as const;

export const lockFailures = {
  409: "The present state does not allow it, or `lock_lost`: `X-Lock-Token` is not the newest.",
  423:
    "`locked`: another user holds the editing lock; " +
    "`details` is `{featureId, userId, expiresAt}`.",
} as const;
