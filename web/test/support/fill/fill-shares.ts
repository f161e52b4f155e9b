import type { App } from "../app.ts";
import { asksOf } from "./asks.ts";
import type { Words } from "./words.ts";
import type { Work } from "./fill-work.ts";

const PASSWORD = "a long enough password";

/** Shares things in both directions between the administrator and another user; fills the trash. */
export async function fillShares(app: App, words: Words, work: Work): Promise<void> {
  const admin = asksOf(app);
  const { id: adminId } = await admin.get<{ id: string }>("/api/v1/auth/me");
  const email = "other@test.example";
  const [name = ""] = words.names();
  const other = await admin.post("/api/v1/users", { email, name, password: PASSWORD });
  const share = (
    asks: typeof admin,
    resourceType: string,
    resourceId: string,
    userId: string,
  ) =>
    asks.post("/api/v1/sharing/share", {
      resourceType,
      resourceId,
      shares: [{ subjectType: "user", subjectId: userId, accessRole: "editor" }],
    });
  for (const [type, id] of [
    ["conversation", work.conversation],
    ["agent", work.agent],
    ["folder", work.folder],
    ["document", work.document],
  ] as const)
    await share(admin, type, id, other.id);

  const asks = asksOf(app, await app.server.signIn(email, PASSWORD));
  for (const title of words.names().slice(0, 8)) {
    const sent = await asks.post<{ conversationId: string }>("/api/v1/conversation", {
      content: title,
      stream: false,
    });
    await asks.patch(`/api/v1/conversation/${sent.conversationId}`, { title });
    await share(asks, "conversation", sent.conversationId, adminId);
    const conversationId = sent.conversationId;
    await asks.post("/api/v1/canvas", { title, content: title, conversationId });
    const agent = await asks.post("/api/v1/agent", { name: title, description: title });
    await share(asks, "agent", agent.id, adminId);
    const folder = await asks.post("/api/v1/documents/folders", { name: title });
    await share(asks, "folder", folder.id, adminId);
    await fillTrash(admin, title);
  }
}

async function fillTrash(asks: ReturnType<typeof asksOf>, title: string): Promise<void> {
  const sent = { content: title, stream: false };
  const made = await asks.post<{ conversationId: string }>("/api/v1/conversation", sent);
  await asks.patch(`/api/v1/conversation/${made.conversationId}`, { title });
  await asks.remove(`/api/v1/conversation/${made.conversationId}`);
  const canvas = await asks.post("/api/v1/canvas", { title, content: title });
  await asks.remove(`/api/v1/canvas/${canvas.id}`);
  const agent = await asks.post("/api/v1/agent", { name: title });
  await asks.remove(`/api/v1/agent/${agent.id}`);
}
