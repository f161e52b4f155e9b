import type { DuckDBConnection } from "@duckdb/node-api";

/** Of DuckDB itself. The worker has more, for what surrounds it. */
const MEMORY = "500MB";

/** Below the worker's folder. */
const SPILL = "spill";
const MAX_SPILL = "3GB";

interface DuckdbOptions {
  threads: number;
  /** Whether what has no room in memory goes to the disk. */
  spills: boolean;
}

/**
 * Opens a database in memory, in a worker process: the library is loaded nowhere else. Paths are
 * relative to the folder, so that no message and no list of databases shows where it is.
 */
export async function openDuckdb(
  folder: string,
  { threads, spills }: DuckdbOptions,
): Promise<DuckDBConnection & Disposable> {
  process.chdir(folder);
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create(":memory:", {
    threads: String(threads),
    memory_limit: MEMORY,
    temp_directory: spills ? SPILL : "",
    max_temp_directory_size: MAX_SPILL,
    home_directory: ".",
    extension_directory: ".",
    secret_directory: ".",
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    allow_community_extensions: "false",
  });
  const connection = await instance.connect();
  return Object.assign(connection, {
    [Symbol.dispose]() {
      connection.closeSync();
      instance.closeSync();
    },
  });
}
