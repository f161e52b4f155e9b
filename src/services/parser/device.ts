import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { promisify } from "node:util";

/**
 * The device for local models: a CUDA device, Apple's Metal, or the CPU.
 */
export type Device = "cuda" | "mps" | "cpu";

export async function detectDevice(): Promise<Device> {
  if (process.platform === "darwin") return process.arch === "arm64" ? "mps" : "cpu";
  const gpus = await readdir("/proc/driver/nvidia/gpus").catch(() => []);
  if (gpus.length > 0 || (await nvidiaAnswers())) return "cuda";
  return "cpu";
}

/**
 * Lists devices with the driver's own tool where the kernel does not show them (containers, WSL,
 * Windows).
 */
async function nvidiaAnswers(): Promise<boolean> {
  try {
    const { stdout } = await promisify(execFile)("nvidia-smi", ["-L"], { timeout: 3_000 });
    return /^GPU \d+:/m.test(stdout);
  } catch {
    return false;
  }
}
