import dns from "node:dns";
import { isIP, type Socket } from "node:net";
import { buildConnector } from "undici";
import { BadGateway } from "../http/errors.ts";
import type { AddressJudge, Target } from "./judge-address.ts";

/**
 * Opens connections to permitted addresses only. It checks the addresses of a name before it
 * connects, and the address that answered before it writes. So redirects, a second resolution and
 * other spellings of an address cannot bypass it.
 */
export function guardedConnect(
  judge: AddressJudge,
  timeout: number,
  refusal: (host: string) => BadGateway,
): buildConnector.connector {
  const connect = buildConnector({ timeout, keepAlive: true });
  return (options, callback) => {
    const { hostname, protocol } = options;
    const port = Number(options.port) || (protocol === "https:" ? 443 : 80);
    const target: Target = { hostname: hostname.replace(/^\[|\]$/g, ""), port };
    const refuse = () => callback(refusal(hostname), null);
    judgeTarget(judge, target, (error, permitted) => {
      if (error) return callback(error, null);
      if (!permitted) return refuse();
      // TCP first, and TLS over it only when the address that answered is permitted
      connect({ ...options, protocol: "http:" }, (failure, socket) => {
        if (failure) return callback(failure, null);
        if (!isPermitted(judge, target, socket as Socket)) {
          socket.destroy();
          return refuse();
        }
        if (protocol !== "https:") return callback(null, socket);
        connect({ ...options, httpSocket: socket as Socket }, callback);
      });
    });
  };
}

function judgeTarget(
  judge: AddressJudge,
  target: Target,
  decide: (error: Error | null, permitted: boolean) => void,
): void {
  const { hostname } = target;
  if (isIP(hostname)) return decide(null, judge.permits(target, hostname));
  if (!judge.permitsName(target)) return decide(null, false);
  dns.lookup(hostname, { all: true }, (error, addresses) => {
    if (error) return decide(error, false);
    const permitted = addresses.some(({ address }) => judge.permits(target, address));
    decide(null, permitted);
  });
}

function isPermitted(judge: AddressJudge, target: Target, socket: Socket): boolean {
  const { remoteAddress: remote, localAddress: local } = socket;
  if (remote === undefined || !judge.permits(target, remote)) return false;
  // a connection to its own address stays on this machine
  return remote !== local || !judge.isOwnListener("127.0.0.1", target.port);
}
