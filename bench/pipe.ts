import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { readArguments } from "../scripts/read-arguments.ts";

const USAGE = `Usage: node bench/pipe.ts <port>

The floor of a benchmark: passes every byte to the provider on that port and back as it arrives, in
a process of its own. Prints its address.

  --help  print this`;

const { positionals } = readArguments(USAGE, { allowPositionals: true });
const port = Number(positionals[0]);
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
