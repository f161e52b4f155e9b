import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, vi } from "vitest";

const run = promisify(execFile);

/** Only root on Linux mounts file systems. */
export const canMount = process.platform === "linux" && process.getuid?.() === 0;

/** A file system in memory, of a fixed size. */
export interface SmallDisk extends AsyncDisposable {
  folder: string;
}

/** Whether this machine permits mounting one: containers often do not. */
export async function mountSmallDisk(
  folder: string,
  megabytes: number,
): Promise<SmallDisk> {
  await mkdir(folder, { recursive: true });
  await run("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=0777`, "none", folder]);
  return {
    folder,
    async [Symbol.asyncDispose]() {
      await run("umount", ["-l", folder]);
    },
  };
}

/** An ext4 file system on a loop device whose power can be cut. */
export interface CutDisk extends AsyncDisposable {
  /**
   * Drops all writes from now on, and those not flushed yet. Mounts the disk again after
   * `endPrograms`, which ends all programs that use it.
   */
  cutPower(endPrograms: () => Promise<void>): Promise<void>;
}

const IMAGE_BYTES = 600 * 2 ** 20;
/** Stops ext4 at once without flushing: FS_IOC_SHUTDOWN with FS_GOING_FLAGS_NOLOGFLUSH. */
const SHUT_DOWN = `import fcntl, os, struct, sys
fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587D, struct.pack("I", 2))`;

export const canCutPower =
  canMount && existsSync("/dev/loop-control") && existsSync("/usr/bin/python3");

/** @param image the file with the disk's blocks. */
export async function mountCutDisk(image: string, folder: string): Promise<CutDisk> {
  await writeFile(image, "");
  await truncate(image, IMAGE_BYTES);
  await run("mkfs.ext4", ["-q", "-F", image]);
  await mkdir(folder, { recursive: true });
  const mount = () => run("mount", ["-o", "loop", image, folder]);
  await mount();
  return {
    async cutPower(endPrograms) {
      await run("/usr/bin/python3", ["-c", SHUT_DOWN, folder]);
      await endPrograms();
      await run("umount", [folder]);
      // processes in other namespaces hold a copy of the mount until they end
      await vi.waitFor(
        async () => expect((await run("losetup", ["-j", image])).stdout).toBe(""),
        60_000,
      );
      await mount();
    },
    async [Symbol.asyncDispose]() {
      await run("umount", ["-l", folder]);
    },
  };
}

/** Fills a disk to the last byte. @returns a function that frees the space. */
export async function fillDisk(folder: string): Promise<string> {
  const path = join(folder, "filler");
  await run("dd", ["if=/dev/zero", `of=${path}`, "bs=1M"]).catch(() => {}); // ends with ENOSPC
  return path;
}
