import { isLoopback, type TrustedProxies } from "../platform/http/client-address.ts";

/** The settings that say who reaches PORT. */
interface Reach {
  HOST: string;
  PUBLIC_URL?: string | undefined;
  TRUST_PROXY: boolean;
  TRUSTED_PROXIES?: TrustedProxies | undefined;
}

/** The proxies in front of PORT. TRUST_PROXY alone is one proxy, at any address. */
export function trustedProxies({
  TRUST_PROXY,
  TRUSTED_PROXIES,
}: Pick<Reach, "TRUST_PROXY" | "TRUSTED_PROXIES">) {
  return TRUSTED_PROXIES ?? (TRUST_PROXY ? 1 : undefined);
}

/** Whether INTERNAL_PORT answers without a credential: only where one process is all there is. */
export function isOpenInternally(
  config: Reach & { INTERNAL_HOST: string },
  hasPeersApart: boolean,
): boolean {
  return (
    isLoopback(config.INTERNAL_HOST) && !isReachedFromOutside(config) && !hasPeersApart
  );
}

/** Whether others than programs of this machine reach PORT. */
export function isReachedFromOutside(config: Reach): boolean {
  return (
    !isLoopback(config.HOST) ||
    config.PUBLIC_URL !== undefined ||
    trustedProxies(config) !== undefined
  );
}
