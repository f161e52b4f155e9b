interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (address: string) => string },
  ): { createScriptURL(address: string): unknown };
}

/**
 * The address of a worker of this app, as Trusted Types want it. The policy lets only scripts of
 * the app's own origin pass. Source: W3C Trusted Types, "Creating a policy".
 */
export function toWorkerAddress(address: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }; // not in every browser
  policy ??= trustedTypes?.createPolicy("parlance", { createScriptURL: requireOwnOrigin });
  const trusted = policy?.createScriptURL(address) ?? requireOwnOrigin(address);
  return trusted as string; // a `Worker` takes a TrustedScriptURL too
}

let policy: ReturnType<TrustedTypes["createPolicy"]> | undefined;

function requireOwnOrigin(address: string): string {
  const url = new URL(address, location.href);
  if (url.origin !== location.origin)
    throw new Error("a worker must be of the app's own origin");
  return url.href;
}
