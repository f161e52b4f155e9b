import { PGlite } from "@electric-sql/pglite";

// node create-embedded.ts FOLDER: makes a new database there and ends. A process of its own,
// because what makes a database takes some 280 MB, which a thread does not give back.
const database = await PGlite.create({ dataDir: process.argv[2] ?? "" });
await database.close();
