import { connect } from "node:net";

/**
 * Writes a request with these Host headers to a socket. A client would allow one only.
 * @returns the status of the answer.
 */
export function sendRaw(
  base: string,
  target: string,
  hosts: readonly string[],
): Promise<number> {
  const { hostname, port } = new URL(base);
  const headers = hosts.map((host) => `Host: ${host}\r\n`).join("");
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(Number(port), hostname, () =>
      socket.write(`${target} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`),
    );
    socket
      .on("data", (chunk: Buffer) => (answer += chunk.toString("latin1")))
      .on("error", reject)
      .on("close", () => resolve(Number(answer.split(" ")[1])));
  });
}
