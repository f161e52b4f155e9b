import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A way to a server that stays at one address, and that a test cuts or leads elsewhere. */
export interface Cuttable extends AsyncDisposable {
  url: string;
  /** Ends every connection. New ones are taken. */
  cut(): void;
}

/** `target` is asked for with every connection: a restarted server may have another port. */
export async function startCuttable(target: () => string): Promise<Cuttable> {
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const { hostname, port } = new URL(target());
    const upstream = connect(Number(port), hostname);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        open.delete(socket);
        other.destroy();
      });
    }
    client.pipe(upstream).pipe(client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const cut = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${port}`,
    cut,
    async [Symbol.asyncDispose]() {
      cut();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
