import type { ServiceContext } from "../../platform/service.ts";
import { createRefuseInactive } from "./refuse-inactive.ts";
import type { AutomationsConfig } from "./config.ts";
import { createImageDescriber } from "./media/describe-image.ts";
import { createDocumentParser } from "./media/parse-document.ts";
import { createMediumReader } from "./media/read-medium.ts";
import { createTranscriber } from "./media/transcribe.ts";
import { createRuleMatcher } from "./rule-matcher.ts";

export type Context = ServiceContext<AutomationsConfig>;

export type Dependencies = Awaited<ReturnType<typeof createDependencies>>;

/** What the routes and the background work of automations are made of. */
export async function createDependencies(context: Context) {
  const { config, db, cache, files, log, outgoing, secrets, publicUrl, guard, peer } =
    context;
  const users = peer("users");
  return {
    db,
    cache,
    files,
    log,
    outgoing,
    guard,
    users,
    core: peer("core"),
    publicUrl,
    encryptionKey: secrets.ENCRYPTION_KEY,
    folders: config.AUTOMATION_FOLDERS,
    maxBytes: config.AUTOMATION_MEDIA_MAX_BYTES,
    hookMaxBytes: config.AUTOMATION_HOOK_MAX_BYTES,
    backoffMs: config.AUTOMATION_RETRY_WAIT,
    matcher: await createRuleMatcher(db, cache),
    refuseInactive: createRefuseInactive({ users, guard }),
    read: createReaders(context),
  };
}

/** The readers of media. Documents and pictures need services that may be absent. */
function createReaders({ config, db, files, workers, outgoing, peer, hasPeer }: Context) {
  return createMediumReader({
    files,
    document: createDocumentParser({
      db,
      files,
      documents: hasPeer("documents") ? peer("documents") : undefined,
    }),
    image: createImageDescriber({
      files,
      core: peer("core"),
      completion: hasPeer("completion") ? peer("completion") : undefined,
      model: config.AUTOMATION_CAPTION_MODEL,
    }),
    speech: createTranscriber({
      files,
      workers,
      outgoing,
      url: config.TRANSCRIPTION_URL,
      apiKey: config.TRANSCRIPTION_API_KEY,
      model: config.TRANSCRIPTION_MODEL,
      timeoutMs: config.TRANSCRIPTION_TIMEOUT,
    }),
  });
}
