import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import type { Database } from "../../../platform/db/database.ts";
import type { Register } from "./register-new.ts";

interface TranscriptConversation {
  userId: string;
  clientId: string;
  conversationId: string;
  title: string;
  content: string;
}

/** Creates a conversation that begins with a given text, and can be shared. Idempotent. */
export async function keepTranscript(
  { db, register }: { db: Database; register: Register },
  { userId, clientId, conversationId, title, content }: TranscriptConversation,
): Promise<{ conversationId: string }> {
  const isNew = await db.tx(async () => {
    const inserted = await db.query(sql`
      insert into core.conversations (id, user_id, client_id, title, bytes)
      values (${conversationId}, ${userId}, ${clientId}, ${title}, ${Buffer.byteLength(content)})
      on conflict do nothing returning id`);
    if (inserted.length === 0) return false;
    await db.query(sql`insert into core.messages (id, conversation_id, role, content, status)
      values (${uuidv7()}, ${conversationId}, 'user', ${content}, 'complete')`);
    return true;
  });
  if (isNew) await register({ id: conversationId, ownerId: userId });
  return { conversationId };
}
