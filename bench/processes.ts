import { type ChildProcess, spawn } from "node:child_process";

export interface Running {
  port: number;
  pid: number;
}

/** Programs that a benchmark uses, each in a process of its own. All are ended together. */
export function createProcesses() {
  const children: ChildProcess[] = [];
  return {
    /** @returns the process id of a program that prints no address. */
    spawn(args: string[]): number {
      const child = spawn(process.execPath, args, {
        env: { PATH: process.env["PATH"] },
        stdio: ["ignore", "ignore", "inherit"],
      });
      children.push(child);
      if (!child.pid) throw new Error(`${args.join(" ")} does not start`);
      return child.pid;
    },
    /** Resolves when the program has printed its address. */
    start(
      args: string[],
      env: Record<string, string> = {},
      program = process.execPath,
    ): Promise<Running> {
      const child = spawn(program, args, {
        env: { PATH: process.env["PATH"], ...env },
        stdio: ["ignore", "pipe", "inherit"],
      });
      children.push(child);
      let out = "";
      return new Promise((resolve, reject) => {
        child.once("exit", () => reject(new Error(`${args.join(" ")} ended: ${out}`)));
        child.stdout?.on("data", (chunk: Buffer) => {
          out += chunk.toString();
          const port = /^(?:.*ready at )?http:\/\/[\d.]+:(\d+)/m.exec(out)?.[1];
          if (port && child.pid) resolve({ port: Number(port), pid: child.pid });
        });
      });
    },
    /** Resolves when the program has ended after being asked to. */
    async stop(pid: number): Promise<void> {
      const child = children.find((one) => one.pid === pid);
      if (!child) return;
      const gone = new Promise((resolve) =>
        child.removeAllListeners("exit").once("exit", resolve),
      );
      child.kill("SIGTERM");
      await gone;
    },
    end: () => children.forEach((child) => child.kill("SIGKILL")),
  };
}
export type Processes = ReturnType<typeof createProcesses>;
