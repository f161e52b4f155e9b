import { PGlite } from "@electric-sql/pglite";

// node create-embedded.ts FOLDER: creates a database there and ends. It is a process of its own,
// because creating a database takes about 280 MB, which a thread would not return.
const database = await PGlite.create({ dataDir: process.argv[2] ?? "" });
await database.close();
