import type { DuckDBConnection } from "@duckdb/node-api";

/** Of DuckDB itself. The worker has more, for what surrounds it. */
const MEMORY = "500MB";

/**
 * Opens a database in memory, in a worker process: the library is loaded nowhere else. Paths are
 * relative to the folder, so that no message and no list of databases shows where it is.
 */
export async function openDuckdb(
  folder: string,
  threads: number,
): Promise<DuckDBConnection & Disposable> {
  process.chdir(folder);
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create(":memory:", {
    threads: String(threads),
    memory_limit: MEMORY,
    temp_directory: "",
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
