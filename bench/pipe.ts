import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

// the floor: every byte handed on as it came, in a process of its own. node bench/pipe.ts <port of
// the provider>
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
