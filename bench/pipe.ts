import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

// the floor: passes on every byte as it arrives, in a process of its own. Usage: node bench/pipe.ts
// <port of the provider>
const port = Number(process.argv[2]);
const pipe = createServer((incoming, outgoing) => {
  const upstream = request(
    { port, path: incoming.url, method: "POST", headers: incoming.headers },
    (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    },
  );
  upstream.on("error", () => outgoing.destroy());
  incoming.pipe(upstream);
});
pipe.listen(0, "127.0.0.1", () => {
  const { port: bound } = pipe.address() as AddressInfo; // a TCP server has one
  process.stdout.write(`http://127.0.0.1:${bound}\n`);
});
