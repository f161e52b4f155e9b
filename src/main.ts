import { parseArgs } from "node:util";
import { ConfigError } from "./platform/config/read-config.ts";
import { ApiError } from "./platform/http/errors.ts";
import { SERVICES } from "./server/services.ts";

const USAGE = `parlance – a self-hosted AI assistant platform

  serve [services…]      run all services in one process, or some: ${Object.keys(SERVICES).join(" ")}
  token                  sign in and print an access token          --email --password --url
  ask "question"         stream an answer into the terminal         --docs --agent ID --model --tools a,b --conversation ID --url
  ingest <paths…>        upload files and folders, show progress   --folder ID --url
  evaluate set.json      measure retrieval by your own questions  --engines default,hybrid --rerankers none,bge,llm
                         --chunkings current,semchunk:300 --plot FILE.svg --url
  prepare                make the database that a first start copies; installing does it
  encrypt-files          encrypt stored files with FILES_ENCRYPTION_KEY that are not yet
  doctor                 check configuration, database, queue, providers and tool servers

Settings are environment variables; .env.example lists them. --url defaults to http://127.0.0.1:$PORT (4000).
--docs answers from the documents that you may read. ask, ingest, evaluate and token use PARLANCE_TOKEN, or sign in with --email and
--password or with PARLANCE_ADMIN_EMAIL and PARLANCE_ADMIN_PASSWORD.`;

const { positionals, values } = readArguments();
const [command, ...rest] = positionals;

try {
  process.exitCode = await run();
} catch (error) {
  if (
    !(error instanceof ConfigError || error instanceof ApiError || error instanceof Error)
  )
    throw error;
  const isExpected = error instanceof ConfigError || error instanceof ApiError;
  console.error(isExpected || !process.env["PARLANCE_DEBUG"] ? error.message : error);
  process.exitCode = 1;
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        url: { type: "string" },
        email: { type: "string" },
        password: { type: "string" },
        model: { type: "string" },
        tools: { type: "string" },
        conversation: { type: "string" },
        agent: { type: "string" },
        docs: { type: "boolean" },
        folder: { type: "string" },
        engines: { type: "string" },
        rerankers: { type: "string" },
        chunkings: { type: "string" },
        plot: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`); // a TypeError
    process.exit(2);
  }
}

async function run(): Promise<number> {
  if (values.help || command === undefined) {
    console.log(USAGE);
    return command === undefined && !values.help ? 2 : 0;
  }
  switch (command) {
    case "serve":
      return (await import("./commands/serve.ts")).serve(rest, process.env);
    case "token":
      return (await import("./commands/token.ts")).token(values, process.env);
    case "ask":
      return (await import("./commands/ask.ts")).ask(rest.join(" "), values, process.env);
    case "ingest":
      return (await import("./commands/ingest.ts")).ingest(rest, values, process.env);
    case "evaluate":
      return (await import("./commands/evaluate.ts")).evaluate(rest, values, process.env);
    case "prepare":
      return (await import("./commands/prepare.ts")).prepare();
    case "encrypt-files":
      return (await import("./commands/encrypt-files.ts")).encryptFiles(process.env);
    case "doctor":
      return (await import("./commands/doctor.ts")).doctor(process.env);
    default:
      console.error(`Unknown command "${command}".\n\n${USAGE}`);
      return 2;
  }
}
